import { type Attended, dotAttention } from '@seqloom/tensor-ops';
import type { Tensor } from '@tensorflow/tfjs-core';

/** Options of the attention functions. */
export interface DotProductOptions {
  /** [B,S] or [B,T,S] bool, true = attend here; B and T may be 1. */
  mask?: Tensor | undefined;
}

/**
 * softmax(query keysᵀ) values.
 *
 * @param query [B,T,A], or [B,A]
 * @param keys [B,S,A]
 * @param values [B,S,M]
 * @returns context [B,T,M] and weights [B,T,S]; for a query [B,A], [B,M] and [B,S]
 * @throws Error when shapes do not fit, or the mask is not bool
 * @see Luong et al. 2015, eq. 8, "dot"
 * @example
 * const { context, weights } = dotProductAttention(decoderStates, encoderOutputs, encoderOutputs, { mask });
 */
export function dotProductAttention<Q extends Tensor>(
  query: Q,
  keys: Tensor,
  values: Tensor,
  { mask }: DotProductOptions = {},
): Attended<Q> {
  return dotAttention(query, keys, values, { mask });
}

/**
 * softmax(query keysᵀ / √A) values.
 *
 * @param query [B,T,A], or [B,A]
 * @param keys [B,S,A]
 * @param values [B,S,M]
 * @returns context [B,T,M] and weights [B,T,S]; for a query [B,A], [B,M] and [B,S]
 * @throws Error when shapes do not fit, or the mask is not bool
 * @see Vaswani et al. 2017, eq. 1
 * @example
 * const { context, weights } = scaledDotProductAttention(query, keys, values, { mask: lengthMask(lengths, 20) });
 */
export function scaledDotProductAttention<Q extends Tensor>(
  query: Q,
  keys: Tensor,
  values: Tensor,
  { mask }: DotProductOptions = {},
): Attended<Q> {
  return dotAttention(query, keys, values, { scale: inverseRoot(query.shape[query.rank - 1]), mask });
}

/** 1/√width; 1 for a width of 0, whose scores are all zero. */
function inverseRoot(width: number | undefined): number {
  return width ? 1 / Math.sqrt(width) : 1;
}
