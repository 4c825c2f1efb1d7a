// y = softmax over the last axis, masked where asked. Letters: M rows, n columns.
import {
  broadcastTo,
  engine,
  type GradConfig,
  type KernelConfig,
  type NamedTensorMap,
  type Tensor,
  type TensorInfo,
} from '@tensorflow/tfjs-core';
import { softmaxReference } from '../reference/softmax.js';
import { address, makeOutput } from '../wasm/heap.js';
import { kernels } from '../wasm/kernels.js';
import { rowsOf } from './rows-of.js';
import { checkFloats, runOp } from './run-op.js';

const SOFTMAX = 'SeqloomSoftmax';

export interface SoftmaxOptions {
  /** bool, of a shape that broadcasts to x's; true = takes part. */
  mask?: Tensor;
}

/**
 * y_i = exp(x_i) / Σ_j exp(x_j) over the last axis; only what the mask allows takes part, the rest is exactly 0.
 * A row without anything to take part (all masked, or all -Infinity) is all zeros, never NaN.
 *
 * @param x [..., n]
 * @returns as x
 * @throws Error when x is a scalar or not of floats, or the mask is not bool or does not broadcast to x
 */
export function softmax(x: Tensor, { mask }: SoftmaxOptions = {}): Tensor {
  if (x.rank === 0) throw new Error('softmax: x must have a last axis; got a scalar');
  checkFloats('softmax', { x }); // before a mask is spread, which would stay behind
  if (!mask) return runOp(SOFTMAX, { x }, {}, () => softmaxReference(x));
  if (mask.dtype !== 'bool') throw new Error(`softmax: mask must be bool; got ${mask.dtype}`);
  if (!broadcasts(mask.shape, x.shape)) {
    throw new Error(`softmax: mask must broadcast to x of shape [${x.shape}]; got [${mask.shape}]`);
  }
  const full = mask.shape.join() === x.shape.join() ? mask : broadcastTo(mask, x.shape);
  const inputs: NamedTensorMap = { x, mask: full };
  const y = runOp(SOFTMAX, inputs, {}, () => softmaxReference(x, full));
  if (full !== mask) full.dispose();
  return y;
}

export const softmaxKernel: KernelConfig = {
  kernelName: SOFTMAX,
  backendName: 'wasm',
  kernelFunc: ({ inputs }) => {
    const { x, mask } = inputs as { x: TensorInfo; mask?: TensorInfo };
    const y = makeOutput(x.shape, 'float32');
    kernels().softmaxRows(address(x), mask ? address(mask) : 0, address(y), rowsOf(x), x.shape.at(-1) as number);
    return y;
  },
};

/** dx = y (dy - Σ y dy). */
export const softmaxGradient: GradConfig = {
  kernelName: SOFTMAX,
  outputsToSave: [true],
  gradFunc: (dy, saved) => ({
    x: () => {
      const [y] = saved as [Tensor];
      const out = makeOutput(y.shape, 'float32');
      const n = y.shape.at(-1) as number;
      kernels().softmaxGradientRows(address(y), address(dy as Tensor), address(out), rowsOf(y), n);
      return engine().makeTensorFromTensorInfo(out);
    },
  }),
};

function broadcasts(from: number[], to: number[]): boolean {
  const offset = to.length - from.length;
  return offset >= 0 && from.every((size, i) => size === 1 || size === to[offset + i]);
}
