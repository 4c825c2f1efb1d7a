import { greaterEqual, min, type Tensor, tidy, topk, where } from '@tensorflow/tfjs-core';
import { linearReference } from './linear.js';

/**
 * y with the largest `count` elements of each row replaced by those of x Wᵀ + b, composed of tfjs ops; equals of the smallest that
 * counts are replaced too.
 */
export function refineLargestReference(
  y: Tensor,
  x: Tensor,
  weight: Tensor,
  bias: Tensor | undefined,
  count: number,
): Tensor {
  return tidy(() => {
    const { values } = topk(y, Math.min(count, y.shape.at(-1)!), true);
    const least = min(values, -1, true);
    return where(greaterEqual(y, least), linearReference(x, weight, bias), y);
  });
}
