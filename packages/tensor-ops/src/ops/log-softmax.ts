// y = log of the softmax over the last axis. Letters: M rows, n columns.
import { engine, type GradConfig, type KernelConfig, type Tensor, type TensorInfo } from '@tensorflow/tfjs-core';
import { logSoftmaxReference } from '../reference/log-softmax.js';
import { address, makeOutput } from '../wasm/heap.js';
import { kernels } from '../wasm/kernels.js';
import { rowsOf } from './rows-of.js';
import { runOp } from './run-op.js';

const LOG_SOFTMAX = 'SeqloomLogSoftmax';

/**
 * y_i = x_i - log Σ_j exp(x_j) over the last axis.
 *
 * @param x [..., n]
 * @returns as x
 * @throws Error when x is a scalar, or not of floats
 */
export function logSoftmax(x: Tensor): Tensor {
  if (x.rank === 0) throw new Error('logSoftmax: x must have a last axis; got a scalar');
  return runOp(LOG_SOFTMAX, { x }, {}, () => logSoftmaxReference(x));
}

export const logSoftmaxKernel: KernelConfig = {
  kernelName: LOG_SOFTMAX,
  backendName: 'wasm',
  kernelFunc: ({ inputs }) => {
    const x = inputs.x as TensorInfo;
    const y = makeOutput(x.shape, 'float32');
    kernels().logSoftmaxRows(address(x), address(y), rowsOf(x), x.shape.at(-1) as number);
    return y;
  },
};

/** dx = dy - exp(y) Σ dy. */
export const logSoftmaxGradient: GradConfig = {
  kernelName: LOG_SOFTMAX,
  outputsToSave: [true],
  gradFunc: (dy, saved) => ({
    x: () => {
      const [y] = saved as [Tensor];
      const out = makeOutput(y.shape, 'float32');
      const n = y.shape.at(-1) as number;
      kernels().logSoftmaxGradientRows(address(y), address(dy as Tensor), address(out), rowsOf(y), n);
      return engine().makeTensorFromTensorInfo(out);
    },
  }),
};
