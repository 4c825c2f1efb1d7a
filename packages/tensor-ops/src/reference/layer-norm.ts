import { add, div, mean, mul, sqrt, square, sub, type Tensor } from '@tensorflow/tfjs-core';

/** `layerNorm` composed of tfjs ops; shapes as there. */
export function layerNormReference(x: Tensor, weight: Tensor, bias: Tensor, epsilon: number): Tensor {
  const centred = sub(x, mean(x, -1, true));
  const variance = mean(square(centred), -1, true);
  return add(mul(div(centred, sqrt(add(variance, epsilon))), weight), bias);
}
