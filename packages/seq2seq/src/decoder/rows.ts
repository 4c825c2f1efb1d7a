// Picking rows of memories and states, as search does when hypotheses fork and sentences end.
import { gather, Tensor, type Tensor1D, tensor1d } from '@tensorflow/tfjs-core';
import { kept } from '../kept.js';
import type { DecoderMemory, DecoderState } from './decoder.js';

/** The state whose row r is row `rows[r]` of the given one. */
export function selectState(state: DecoderState, rows: Int32Array): DecoderState {
  return kept(() => {
    const indices = tensor1d(rows, 'int32');
    return Object.fromEntries(
      Object.entries(state).map(([name, tensor]) => [name, gather(tensor, indices, rowAxis(name))]),
    );
  });
}

/** The memory of some of the sources. */
export function selectMemory(memory: DecoderMemory, rows: Int32Array): DecoderMemory {
  return kept(() => selectAll(memory, tensor1d(rows, 'int32')));
}

/** Recurrent states are [layers, R, H]; everything else has its rows first. */
function rowAxis(name: string): 0 | 1 {
  return name === 'hidden' || name === 'cell' ? 1 : 0;
}

/** The same value with the chosen rows of every tensor in it. */
function selectAll<T>(value: T, indices: Tensor1D): T {
  if (value instanceof Tensor) return gather(value, indices, 0) as T;
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, selectAll(part, indices)])) as T;
}
