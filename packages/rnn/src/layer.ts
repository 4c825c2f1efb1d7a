// One layer: a cell over time, in one direction.
import type { Lengths, RecurrentWeights, SequenceInput, SequenceState } from '@seqloom/tensor-ops';
import type { Tensor, Tensor3D } from '@tensorflow/tfjs-core';
import type { RecurrentCell } from './cell.js';
import type { CellState } from './state.js';

/** A sequence through a layer: its outputs [B, T, D·H], or [B, D·H] for one step, and the last state of each of its D directions. */
export interface LayerResult {
  output: Tensor;
  states: CellState<SequenceState>[];
}

/** A sequence as `scan` takes it through a layer, from one initial state [1, B, H] a direction or from zeros; `weights` as in `ScanOptions`, of each direction. */
export type Layer = (
  x: SequenceInput,
  initial: CellState<Tensor3D>[] | null,
  lengths?: Lengths | undefined,
  weights?: readonly (RecurrentWeights | undefined)[] | undefined,
) => LayerResult;

/** A layer that reads forward. */
export function unidirectional(cell: RecurrentCell): Layer {
  return (x, initial, lengths, weights) => {
    const { output, state } = cell.scan(x, initial?.[0] ?? null, { lengths, weights: weights?.[0] });
    return { output, states: [state] };
  };
}
