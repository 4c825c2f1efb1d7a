import { util } from '@tensorflow/tfjs-core';
import { address, makeOutput } from '../wasm/heap.js';
import { kernels } from '../wasm/kernels.js';
import type { Replacement } from './replacement.js';

/** e^x / Σ e^x over the last axis; a row of nothing but -Infinity is all zeros, where the stock kernel gives NaN. */
export const softmax: Replacement = {
  kernelName: 'Softmax',
  run: ({ logits }, attributes, stock) => {
    const { dim } = attributes as { dim: number };
    const { shape, dtype } = logits!;
    if (dtype !== 'float32' || dim !== shape.length - 1) return stock({ logits: logits! }, attributes);
    const y = makeOutput(shape, 'float32');
    const columns = shape[dim] as number;
    const rows = columns === 0 ? 0 : util.sizeFromShape(shape) / columns;
    kernels().softmaxRows(address(logits!), 0, address(y), rows, columns);
    return y;
  },
};
