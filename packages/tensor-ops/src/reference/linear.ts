import { add, matMul, reshape, type Tensor } from '@tensorflow/tfjs-core';

/** x Wᵀ + b composed of tfjs ops; shapes as in `linear`. */
export function linearReference(x: Tensor, weight: Tensor, bias?: Tensor): Tensor {
  const [outputs, inputs] = weight.shape as [number, number];
  const leading = x.shape.slice(0, -1);
  const rows = reshape(x, [leading.reduce((product, n) => product * n, 1), inputs]);
  const product = matMul(rows, weight, false, true);
  return reshape(bias ? add(product, bias) : product, [...leading, outputs]);
}
