import { type Attended, dotAttention, type WithQuery } from '@seqloom/tensor-ops';
import type { Tensor } from '@tensorflow/tfjs-core';

/** Options of the attention functions. */
export interface DotProductOptions {
  /** [B,S] or [B,T,S] bool, true = attend here; B and T may be 1. */
  mask?: Tensor | undefined;
  /** Puts the query before or after each context, as decoders read them: context [B,T,A+M]. */
  withQuery?: WithQuery | undefined;
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
 * const [x1, x2] = [tf.randomNormal([2, 3, 4]), tf.randomNormal([2, 5, 4])];
 * const { context, weights } = dotProductAttention(x1, x2, x2);
 * console.log(context.shape, weights.shape); // → 2,3,4 2,3,5
 */
export function dotProductAttention<Q extends Tensor>(
  query: Q,
  keys: Tensor,
  values: Tensor,
  { mask, withQuery }: DotProductOptions = {},
): Attended<Q> {
  return dotAttention(query, keys, values, { mask, withQuery });
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
 * const keys = tf.tensor3d([[[1, 0, 0, 0], [0, 1, 0, 0], [5, 5, 5, 5]]]);
 * const { weights } = scaledDotProductAttention(tf.zeros([1, 4]), keys, keys, { mask: lengthMask([2], 3) });
 * console.log(weights.arraySync()[0].join(' ')); // → 0.5 0.5 0
 */
export function scaledDotProductAttention<Q extends Tensor>(
  query: Q,
  keys: Tensor,
  values: Tensor,
  { mask, withQuery }: DotProductOptions = {},
): Attended<Q> {
  return dotAttention(query, keys, values, { scale: inverseRoot(query.shape[query.rank - 1]), mask, withQuery });
}

/** 1/√width; 1 for a width of 0, whose scores are all zero. */
function inverseRoot(width: number | undefined): number {
  return width ? 1 / Math.sqrt(width) : 1;
}
