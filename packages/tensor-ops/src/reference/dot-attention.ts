import {
  concat,
  expandDims,
  matMul,
  mul,
  reshape,
  squeeze,
  type Tensor,
  tensor,
  transpose,
} from '@tensorflow/tfjs-core';
import type { AttentionDropout, DotAttentionOptions, WithQuery } from '../ops/dot-attention.js';
import { attentionDropoutRow, dropoutMask } from '../ops/dropout-mask.js';
import { attentionSoftmax } from './attention-softmax.js';

/** softmax(scale · query keysᵀ) values composed of tfjs ops, as [context, weights]; shapes as in `dotAttention`. */
export function dotAttentionReference(
  query: Tensor,
  keys: Tensor,
  values: Tensor,
  { scale = 1, mask, withQuery, dropout }: DotAttentionOptions,
): Tensor[] {
  if (query.rank === 2) {
    const pair = dotAttentionReference(expandDims(query, 1), keys, values, { scale, mask, withQuery, dropout });
    return pair.map((x) => squeeze(x, [1]));
  }
  const scores = mul(matMul(query, keys, false, true), scale);
  const weights = attentionSoftmax(scores, mask);
  return [joined(query, matMul(dropped(weights, dropout), values), withQuery), weights];
}

/** The same for `heads` heads, with transposed copies; shapes as in `multiHeadDotAttention`. */
export function multiHeadDotAttentionReference(
  query: Tensor,
  keys: Tensor,
  values: Tensor,
  heads: number,
  { scale = 1, mask, withQuery, dropout }: DotAttentionOptions,
): Tensor[] {
  if (query.rank === 2) {
    const options = { scale, mask, withQuery, dropout };
    const [context, weights] = multiHeadDotAttentionReference(expandDims(query, 1), keys, values, heads, options);
    return [squeeze(context as Tensor, [1]), squeeze(weights as Tensor, [2])];
  }
  const split = (x: Tensor): Tensor => {
    const [B, rows, width] = x.shape as [number, number, number];
    return transpose(reshape(x, [B, rows, heads, width / heads]), [0, 2, 1, 3]); // [B,K,rows,width/K]
  };
  const scores = mul(matMul(split(query), split(keys), false, true), scale); // [B,K,T,S]
  const allowed = mask && expandDims(mask.rank === 2 ? expandDims(mask, 1) : mask, 1); // [B,1,1 or T,S]
  const weights = attentionSoftmax(scores, allowed);
  const context = transpose(matMul(dropped(weights, dropout), split(values)), [0, 2, 1, 3]); // [B,T,K,M/K]
  const merged = reshape(context, [...query.shape.slice(0, 2), values.shape[2] as number]);
  return [joined(query, merged, withQuery), weights];
}

/** Query and context side by side; the context alone where nothing is asked. */
function joined(query: Tensor, context: Tensor, withQuery: WithQuery | undefined): Tensor {
  if (!withQuery) return context;
  return concat(withQuery === 'before' ? [query, context] : [context, query], -1);
}

/** Weights [B,T,S] or [B,K,T,S] after dropout, each head's queries with masks of their own. */
function dropped(weights: Tensor, dropout: AttentionDropout | undefined): Tensor {
  if (!dropout) return weights;
  const { rate, key, stream } = dropout;
  const [B, ...rest] = weights.shape as [number, ...number[]];
  const K = rest.length === 3 ? (rest[0] as number) : 1;
  const [T, S] = rest.slice(-2) as [number, number];
  const mask = new Float32Array(weights.size);
  for (let at = 0; at < B * K; at++) {
    const rowOffset = attentionDropoutRow(key.rowOffset * K + at);
    mask.set(dropoutMask(T, S, rate, { ...key, rowOffset }, stream), at * T * S);
  }
  return mul(weights, tensor(mask, weights.shape, 'float32'));
}
