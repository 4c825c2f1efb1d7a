// y = (x - mean) / √(variance + ε) · w + b over the last axis (PyTorch's nn.functional.layer_norm). Letters: M rows, H columns.
import { engine, type GradConfig, type KernelConfig, type Tensor, type TensorInfo } from '@tensorflow/tfjs-core';
import { layerNormReference } from '../reference/layer-norm.js';
import { address, makeOutput } from '../wasm/heap.js';
import { kernels } from '../wasm/kernels.js';
import { rowsOf } from './rows-of.js';
import { runOp } from './run-op.js';

const LAYER_NORM = 'SeqloomLayerNorm';

/**
 * y = (x - mean) / √(variance + ε) · weight + bias, mean and (biased) variance over the last axis.
 *
 * @param x [..., H]
 * @param weight [H]
 * @param bias [H]
 * @returns as x
 * @throws Error when the sizes do not fit, or a tensor is not of floats
 * @see Ba et al. 2016; https://pytorch.org/docs/stable/generated/torch.nn.functional.layer_norm.html
 */
export function layerNorm(x: Tensor, weight: Tensor, bias: Tensor, epsilon = 1e-5): Tensor {
  const size = x.shape.at(-1);
  if (size === undefined || weight.shape.join() !== `${size}` || bias.shape.join() !== `${size}`) {
    throw new Error(
      `layerNorm: weight and bias must be [H] and x [..., H]; got [${weight.shape}], [${bias.shape}] and [${x.shape}]`,
    );
  }
  return runOp(LAYER_NORM, { x, weight, bias }, { epsilon }, () => layerNormReference(x, weight, bias, epsilon));
}

export const layerNormKernel: KernelConfig = {
  kernelName: LAYER_NORM,
  backendName: 'wasm',
  kernelFunc: ({ inputs, attrs }) => {
    const { x, weight, bias } = inputs as { x: TensorInfo; weight: TensorInfo; bias: TensorInfo };
    const { epsilon } = attrs as { epsilon: number };
    const y = makeOutput(x.shape, 'float32');
    const H = weight.shape[0] as number;
    kernels().layerNormRows(address(x), address(weight), address(bias), address(y), rowsOf(x), H, epsilon);
    return y;
  },
};

/** All three gradients in one pass over the rows. */
export const layerNormGradient: GradConfig = {
  kernelName: LAYER_NORM,
  inputsToSave: ['x', 'weight'],
  gradFunc: (dy, saved, attributes) => {
    const [x, weight] = saved as [Tensor, Tensor];
    const { epsilon } = attributes as { epsilon: number };
    const H = weight.size;
    const [dx, dw, db] = [makeOutput(x.shape, 'float32'), makeOutput([H], 'float32'), makeOutput([H], 'float32')];
    const k = kernels();
    k.zeroFill(address(dw), H);
    k.zeroFill(address(db), H);
    k.layerNormGradientRows(
      address(x),
      address(weight),
      address(dy as Tensor),
      address(dx),
      address(dw),
      address(db),
      rowsOf(x),
      H,
      epsilon,
    );
    const [x_, weight_, bias_] = [dx, dw, db].map((info) => engine().makeTensorFromTensorInfo(info)) as [
      Tensor,
      Tensor,
      Tensor,
    ];
    return { x: () => x_, weight: () => weight_, bias: () => bias_ };
  },
};
