import { add, erf, mul, relu, type Tensor } from '@tensorflow/tfjs-core';

/** What stands between the two linear maps of a feed-forward layer. */
export type Activation = 'relu' | 'gelu';

/** max(x, 0), or x Φ(x) with the normal distribution Φ (Hendrycks & Gimpel 2016; exact, as PyTorch's default). */
export function activate(x: Tensor, activation: Activation): Tensor {
  return activation === 'relu' ? relu(x) : mul(mul(x, 0.5), add(erf(mul(x, Math.SQRT1_2)), 1));
}
