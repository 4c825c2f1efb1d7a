import { add, expandDims, matMul, mul, squeeze, sum, type Tensor, tanh } from '@tensorflow/tfjs-core';
import { attentionSoftmax } from './attention-softmax.js';

/** softmax(v · tanh(q + k + c u)) values composed of tfjs ops, as [context, weights]; shapes as in `additiveAttention`. */
export function additiveAttentionReference(
  query: Tensor,
  keys: Tensor,
  vector: Tensor,
  values: Tensor,
  mask: Tensor | undefined,
  coverage: { sum: Tensor; weight: Tensor } | undefined,
): Tensor[] {
  if (query.rank === 2) {
    const covered = coverage && { sum: expandDims(coverage.sum, 1), weight: coverage.weight };
    const pair = additiveAttentionReference(expandDims(query, 1), keys, vector, values, mask, covered);
    return pair.map((x) => squeeze(x, [1]));
  }
  let inner = add(expandDims(query, 2), expandDims(keys, 1)); // [B,T,S,A]
  if (coverage) inner = add(inner, mul(expandDims(coverage.sum, 3), coverage.weight));
  const scores = sum(mul(tanh(inner), vector), 3); // [B,T,S]
  const weights = attentionSoftmax(scores, mask);
  return [matMul(weights, values), weights];
}
