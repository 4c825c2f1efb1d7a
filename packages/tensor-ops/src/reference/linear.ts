import { add, matMul, reshape, type Tensor, type Tensor1D, type Tensor2D } from '@tensorflow/tfjs-core';

/** x Wᵀ + b composed of tfjs ops; shapes as in `linear`. */
export function linearReference(x: Tensor, weight: Tensor2D, bias?: Tensor1D): Tensor {
  const [outputs, inputs] = weight.shape;
  const rows = reshape(x, [-1, inputs]);
  const product = matMul(rows, weight, false, true);
  return reshape(bias ? add(product, bias) : product, [...x.shape.slice(0, -1), outputs]);
}
