import { cumsum, minimum, mul, type Scalar, sum, type Tensor3D, tensor3d } from '@tensorflow/tfjs-core';
import type { Targets } from './batch.js';

/**
 * Σₜ Σᵢ min(aₜᵢ, Σ_{u<t} aᵤᵢ) over real target positions: what is spent on source tokens that were attended to before
 * (See et al. 2017, eq. 13).
 *
 * @param weights attention [B, T, S]
 */
export function coverageLoss(weights: Tensor3D, { lengths, width }: Targets): Scalar {
  const real = Float32Array.from({ length: lengths.length * width }, (_, at) =>
    at % width < lengths[Math.floor(at / width)]! ? 1 : 0,
  );
  const before = cumsum(weights, 1, true); // [B, T, S], without the position itself
  return sum(mul(minimum(weights, before), tensor3d(real, [lengths.length, width, 1])));
}
