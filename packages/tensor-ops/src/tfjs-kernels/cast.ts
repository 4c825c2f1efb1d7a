import type { DataType } from '@tensorflow/tfjs-core';
import { makeOutput, wasmBackend } from '../wasm/heap.js';
import type { Replacement } from './replacement.js';

/** To bool, all is true but 0. The stock kernel keeps a number's lowest byte: 256 and 0.5 become false, and so a mask made of token ids. */
export const cast: Replacement = {
  kernelName: 'Cast',
  run: ({ x }, attributes, stock) => {
    const { dtype } = attributes as { dtype: DataType };
    if (dtype !== 'bool' || x!.dtype === 'bool') return stock({ x: x! }, attributes);
    const out = makeOutput(x!.shape, 'bool');
    const [from, to] = [wasmBackend().typedArrayFromHeap(x!), wasmBackend().typedArrayFromHeap(out)];
    for (let i = 0; i < from.length; i++) to[i] = from[i] === 0 ? 0 : 1;
    return out;
  },
};
