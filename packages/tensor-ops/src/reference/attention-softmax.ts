import { cast, expandDims, mul, softmax, type Tensor, where } from '@tensorflow/tfjs-core';

/**
 * Softmax of scores [B,T,S] over the keys that a mask [B,S] or [B,T,S] allows: masked positions are zero, and so is a row
 * without any allowed.
 */
export function attentionSoftmax(scores: Tensor, mask: Tensor | undefined): Tensor {
  if (!mask) return softmax(scores);
  const allowed = mask.rank === 2 ? expandDims(mask, 1) : mask;
  return mul(softmax(where(allowed, scores, -1e30)), cast(allowed, 'float32'));
}
