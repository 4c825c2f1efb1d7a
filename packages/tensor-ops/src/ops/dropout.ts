// y = x · mask / (1 - rate) with a mask that only its key decides. Letters: B rows, the rest of x is one row's elements.
import { clone, engine, type GradConfig, type KernelConfig, type Tensor, type TensorInfo } from '@tensorflow/tfjs-core';
import type { DropoutKey } from '../nn/dropout-key.js';
import { dropoutReference } from '../reference/dropout.js';
import { address, makeOutput } from '../wasm/heap.js';
import { kernels } from '../wasm/kernels.js';
import { dropoutThreshold, dropoutWords } from './dropout-mask.js';
import { runOp } from './run-op.js';

const DROPOUT = 'SeqloomDropout';

interface DropoutAttributes {
  keyA: number;
  keyB: number;
  rowOffset: number;
  rate: number;
}

/**
 * y = x · mask / (1 - rate); each element is dropped with probability `rate`, in steps of 2⁻³².
 *
 * The mask is a hash of seed, step, stream, rowOffset + row and the element's index within its row: the same on every machine
 * and backend, and the same whether a batch is whole or divided (give each part its rowOffset) or padded further.
 *
 * @param x [B, ...]
 * @param rate in [0, 1)
 * @param key seed, step and row offset
 * @param stream tells the dropouts of a model apart, e.g. a layer's derived seed
 * @returns as x
 * @throws Error when the rate is outside [0, 1), or x not of floats
 * @see Srivastava et al. 2014
 */
export function dropout(x: Tensor, rate: number, key: DropoutKey, stream: number): Tensor {
  if (!(rate >= 0 && rate < 1)) throw new Error(`dropout: rate must be in [0, 1); got ${rate}`);
  if (x.rank === 0) throw new Error('dropout: x must have a first axis of rows; got a scalar');
  if (rate === 0) return clone(x);
  const attributes: DropoutAttributes = { ...dropoutWords(key, stream), rowOffset: key.rowOffset, rate };
  return runOp(DROPOUT, { x }, { ...attributes }, () => dropoutReference(x, rate, key, stream));
}

export const dropoutKernel: KernelConfig = {
  kernelName: DROPOUT,
  backendName: 'wasm',
  kernelFunc: ({ inputs, attrs }) => masked(inputs.x as TensorInfo, attrs as unknown as DropoutAttributes),
};

/** dx = dy · mask / (1 - rate), the mask made again. */
export const dropoutGradient: GradConfig = {
  kernelName: DROPOUT,
  gradFunc: (dy, _saved, attributes) => ({
    x: () => engine().makeTensorFromTensorInfo(masked(dy as Tensor, attributes as unknown as DropoutAttributes)),
  }),
};

function masked(x: TensorInfo, { keyA, keyB, rowOffset, rate }: DropoutAttributes): TensorInfo {
  const y = makeOutput(x.shape, 'float32');
  const rows = x.shape[0] as number;
  const width = x.shape.slice(1).reduce((product, size) => product * size, 1);
  const scale = 1 / (1 - rate);
  kernels().dropoutRows(address(x), address(y), rows, width, rowOffset, keyA, keyB, dropoutThreshold(rate), scale);
  return y;
}
