// y = x Wᵀ + b (PyTorch's nn.functional.linear). Letters: M rows, I inputs, O outputs.
import {
  engine,
  type GradConfig,
  type KernelConfig,
  type NamedTensorMap,
  type Tensor,
  type Tensor1D,
  type Tensor2D,
  type TensorInfo,
} from '@tensorflow/tfjs-core';
import { linearReference } from '../reference/linear.js';
import { address, makeOutput, withScratch } from '../wasm/heap.js';
import { kernels } from '../wasm/kernels.js';
import { runOp } from './run-op.js';

const LINEAR = 'SeqloomLinear';

/**
 * y = x Wᵀ + b.
 *
 * @param x [..., I]
 * @param weight [O, I], as PyTorch stores it
 * @param bias [O], or none
 * @returns [..., O]
 * @throws Error when the last axis of x is not I, or the bias not [O]
 * @see https://pytorch.org/docs/stable/generated/torch.nn.functional.linear.html
 */
export function linear(x: Tensor, weight: Tensor2D, bias?: Tensor1D): Tensor {
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

/** Forward: one NT product onto rows filled with the bias. */
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
    withScratch(k.gemmScratchBytes(M, O, I), (scratch) => {
      if (bias) k.fillRows(address(y), O, M, O, address(bias));
      k.gemm(0, 1, M, O, I, address(x), I, address(weight), I, address(y), O, bias !== undefined, scratch);
    });
    return y;
  },
};

/** dx = dy W, dW = dyᵀ x, db = column sums of dy; each only when asked for. */
export const linearGradient: GradConfig = {
  kernelName: LINEAR,
  inputsToSave: ['x', 'weight'],
  gradFunc: (dy, saved) => {
    const [x, weight] = saved as [Tensor, Tensor2D];
    const [O, I] = weight.shape;
    const M = rowsOf(x);
    const product = (
      shape: number[],
      transposeA: boolean,
      size: [number, number, number],
      a: TensorInfo,
      b: TensorInfo,
    ): Tensor => {
      const out = makeOutput(shape, 'float32');
      const k = kernels();
      const [m, n, inner] = size;
      withScratch(k.gemmScratchBytes(m, n, inner), (scratch) =>
        k.gemm(
          transposeA ? 1 : 0,
          0,
          m,
          n,
          inner,
          address(a),
          transposeA ? m : inner,
          address(b),
          n,
          address(out),
          n,
          false,
          scratch,
        ),
      );
      return engine().makeTensorFromTensorInfo(out);
    };
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

/** Product of all axes but the last. */
function rowsOf({ shape }: { shape: number[] }): number {
  return shape.slice(0, -1).reduce((product, size) => product * size, 1);
}
