// y = x Wᵀ + b (PyTorch's nn.functional.linear). Letters: M rows, I inputs, O outputs.
import {
  engine,
  type GradConfig,
  type KernelConfig,
  type NamedTensorMap,
  type Tensor,
  type TensorInfo,
} from '@tensorflow/tfjs-core';
import { linearReference } from '../reference/linear.js';
import { address, makeOutput, withScratch } from '../wasm/heap.js';
import { kernels } from '../wasm/kernels.js';
import { rowsOf } from './rows-of.js';
import { runOp } from './run-op.js';

const LINEAR = 'SeqloomLinear';

type Sizes = [M: number, N: number, K: number];

/**
 * y = x Wᵀ + b.
 *
 * @param x [..., I]
 * @param weight [O, I], as PyTorch stores it
 * @param bias [O], or none
 * @returns [..., O]
 * @throws Error when the last axis of x is not I, the bias not [O], or one of them not of floats
 * @see https://pytorch.org/docs/stable/generated/torch.nn.functional.linear.html
 */
export function linear(x: Tensor, weight: Tensor, bias?: Tensor): Tensor {
  if (weight.rank !== 2) throw new Error(`linear: weight must be [O, I]; got shape [${weight.shape}]`);
  const [outputs, inputs] = weight.shape;
  if (x.rank < 1 || x.shape[x.rank - 1] !== inputs) {
    throw new Error(
      `linear: the last axis of x must be ${inputs}, as weight is [${weight.shape}]; got x of shape [${x.shape}]`,
    );
  }
  if (bias && (bias.rank !== 1 || bias.shape[0] !== outputs)) {
    throw new Error(`linear: bias must be [${outputs}], as weight is [${weight.shape}]; got [${bias.shape}]`);
  }
  const tensors: NamedTensorMap = bias ? { x, weight, bias } : { x, weight };
  return runOp(LINEAR, tensors, {}, () => linearReference(x, weight, bias));
}

/** Forward: one NT product that begins at the bias. */
export const linearKernel: KernelConfig = {
  kernelName: LINEAR,
  backendName: 'wasm',
  kernelFunc: ({ inputs }) => {
    const { x, weight, bias } = inputs as { x: TensorInfo; weight: TensorInfo; bias?: TensorInfo };
    const [O, I] = weight.shape as [number, number];
    const M = rowsOf(x);
    const y = makeOutput([...x.shape.slice(0, -1), O], 'float32');
    if (M === 0 || O === 0) return y;
    const k = kernels();
    const start = bias ? address(bias) : 0;
    withScratch(k.gemmScratchBytes(M, O, I), (scratch) =>
      k.gemmBias(0, 1, M, O, I, address(x), I, address(weight), I, address(y), O, start, 0, scratch),
    );
    return y;
  },
};

/** dx = dy W, dW = dyᵀ x, db = column sums of dy; each only when asked for. */
export const linearGradient: GradConfig = {
  kernelName: LINEAR,
  inputsToSave: ['x', 'weight'],
  gradFunc: (dy, saved) => {
    const [x, weight] = saved as [Tensor, Tensor];
    const [O, I] = weight.shape as [number, number];
    const M = rowsOf(x);
    return {
      x: () => product(x.shape, false, [M, I, O], dy as Tensor, weight),
      weight: () => product(weight.shape, true, [O, I, M], dy as Tensor, x),
      bias: () => {
        const out = makeOutput([O], 'float32');
        kernels().columnSums(address(dy as Tensor), O, M, O, address(out), false);
        return engine().makeTensorFromTensorInfo(out);
      },
    };
  },
};

/** op(a) b, where b is [K, N] and op(a) is [M, K]. */
function product(shape: number[], transpose: boolean, [M, N, K]: Sizes, a: TensorInfo, b: TensorInfo): Tensor {
  const out = makeOutput(shape, 'float32');
  const k = kernels();
  const [code, width] = transpose ? [1, M] : [0, K];
  withScratch(k.gemmScratchBytes(M, N, K), (scratch) =>
    k.gemm(code, 0, M, N, K, address(a), width, address(b), N, address(out), N, false, scratch),
  );
  return engine().makeTensorFromTensorInfo(out);
}
