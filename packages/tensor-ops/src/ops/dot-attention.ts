// Dot-product attention, one head or many. Weights and context come from one kernel, and gradients flow back through both.
import { engine, type GradConfig, type KernelConfig, type Tensor, type TensorInfo, util } from '@tensorflow/tfjs-core';
import type { DropoutKey } from '../nn/dropout-key.js';
import { dotAttentionReference, multiHeadDotAttentionReference } from '../reference/dot-attention.js';
import { address, makeOutput, withScratch } from '../wasm/heap.js';
import { kernels } from '../wasm/kernels.js';
import { type Attended, attentionSizes, checkedSizes, maskLayout } from './attention-inputs.js';
import { attentionDropoutRow, dropoutThreshold, dropoutWords } from './dropout-mask.js';
import { runOp } from './run-op.js';

const DOT_ATTENTION = 'SeqloomDotAttention';

/** Options of dot-product attention. */
export interface DotAttentionOptions {
  /** Factor of the scores; 1 unless given. 1/√A makes scaled dot-product attention. */
  scale?: number;
  /** [B,S] or [B,T,S] bool, true = attend; B and T may be 1. */
  mask?: Tensor | undefined;
  /** Puts the query before or after each context, as decoders read them: context [B,T,A+M]. */
  withQuery?: WithQuery | undefined;
  /** Drops weights before they meet the values; the weights returned are whole. */
  dropout?: AttentionDropout | undefined;
}

/** Dropout of attention weights: the mask of row, head, query and key is the same however a batch is divided or padded. */
export interface AttentionDropout {
  /** In [0, 1). */
  rate: number;
  key: DropoutKey;
  stream: number;
}

/** Where a query stands beside its context. */
export type WithQuery = 'before' | 'after';

/** [B,K,T,S] */
type WeightsShape = [number, number, number, number];

/** Attributes on the tape; a rate of 0 drops nothing. */
interface Attributes {
  withQuery: WithQuery | '';
  /** 0: one head, whose axis the weights do not have. */
  heads: number;
  scale: number;
  rate: number;
  keyA: number;
  keyB: number;
  rowOffset: number;
}

/**
 * weights = softmax(scale · query keysᵀ) over the keys that the mask allows; context = weights values.
 *
 * A query that may attend nothing has weights and context zero; masked positions have weight exactly zero.
 *
 * @param query [B,T,A], or [B,A] for a single query a row
 * @param keys [B,S,A]
 * @param values [B,S,M]
 * @returns context [B,T,M] ([B,T,A+M] with the query) and weights [B,T,S]; for a query [B,A], [B,M] and [B,S]
 * @throws Error when shapes or `withQuery` do not fit, one of them is not of floats, the mask not bool, or the rate of dropout is outside [0, 1)
 * @see Luong et al. 2015, "dot"; Vaswani et al. 2017, eq. 1, for scale = 1/√A
 * @example
 * const memory = tf.tensor3d([[[1, 0], [0, 1], [9, 9]]]);
 * const mask = tf.tensor2d([[true, true, false]]);
 * const { context, weights } = dotAttention(tf.tensor2d([[Math.log(3), 0]]), memory, memory, { mask });
 * console.log(weights.arraySync()[0].map((x) => x.toFixed(2)).join(' ')); // → 0.75 0.25 0.00
 * console.log(context.arraySync()[0].map((x) => x.toFixed(2)).join(' ')); // → 0.75 0.25
 */
export function dotAttention<Q extends Tensor>(
  query: Q,
  keys: Tensor,
  values: Tensor,
  options: DotAttentionOptions = {},
): Attended<Q> {
  checkedSizes('dotAttention', query, keys, values, options.mask);
  const pair = run('dotAttention', query, keys, values, 0, options, () =>
    dotAttentionReference(query, keys, values, options),
  );
  return pair as Attended<Q>;
}

/**
 * `heads` dot-product attentions side by side: head h takes columns [h·A/heads, (h+1)·A/heads) of query and keys and the
 * like of the values, and writes the like of the context. Nothing is transposed or copied for it.
 *
 * @param query [B,T,A], or [B,A] for a single query a row
 * @param keys [B,S,A]
 * @param values [B,S,M]
 * @param heads divides A and M
 * @returns context [B,T,M] and weights [B,heads,T,S]; for a query [B,A], [B,M] and [B,heads,S]
 * @throws Error when shapes or `withQuery` do not fit, one of them is not of floats, the mask not bool, or the rate of dropout is outside [0, 1)
 * @see Vaswani et al. 2017, section 3.2.2
 * @example
 * const x = tf.randomNormal([2, 5, 12]);
 * const { context, weights } = multiHeadDotAttention(x, x, x, 3, { scale: 1 / 2 });
 * console.log(context.shape, weights.shape); // → 2,5,12 2,3,5,5
 */
export function multiHeadDotAttention(
  query: Tensor,
  keys: Tensor,
  values: Tensor,
  heads: number,
  options: DotAttentionOptions = {},
): { context: Tensor; weights: Tensor } {
  const { A, M } = checkedSizes('multiHeadDotAttention', query, keys, values, options.mask);
  if (!Number.isInteger(heads) || heads < 1 || A % heads !== 0 || M % heads !== 0) {
    throw new Error(`multiHeadDotAttention: heads must divide the widths ${A} and ${M}; got ${heads}`);
  }
  return run('multiHeadDotAttention', query, keys, values, heads, options, () =>
    multiHeadDotAttentionReference(query, keys, values, heads, options),
  );
}

function run(
  op: string,
  query: Tensor,
  keys: Tensor,
  values: Tensor,
  heads: number,
  { scale = 1, mask, withQuery, dropout }: DotAttentionOptions,
  reference: () => Tensor[],
): { context: Tensor; weights: Tensor } {
  if (dropout && !(dropout.rate >= 0 && dropout.rate < 1)) {
    throw new Error(`${op}: dropout.rate must be in [0, 1); got ${dropout.rate}`);
  }
  if (withQuery !== undefined && withQuery !== 'before' && withQuery !== 'after') {
    throw new Error(`${op}: withQuery must be 'before' or 'after'; got ${withQuery}`);
  }
  const inputs = mask ? { query, keys, values, mask } : { query, keys, values };
  const words = dropout ? dropoutWords(dropout.key, dropout.stream) : { keyA: 0, keyB: 0 };
  const attributes: Attributes = {
    withQuery: withQuery ?? '',
    heads,
    scale,
    rate: dropout?.rate ?? 0,
    rowOffset: dropout?.key.rowOffset ?? 0,
    ...words,
  };
  const [context, weights] = runOp<Tensor[]>(DOT_ATTENTION, inputs, { ...attributes }, reference);
  return { context: context as Tensor, weights: weights as Tensor };
}

/** Forward: scores, masked softmax, mean of the values. */
export const dotAttentionKernel: KernelConfig = {
  kernelName: DOT_ATTENTION,
  backendName: 'wasm',
  kernelFunc: ({ inputs, attrs }) => {
    const { query, keys, values, mask } = inputs as Record<'query' | 'keys' | 'values', TensorInfo> & {
      mask?: TensorInfo;
    };
    const attributes = attrs as unknown as Attributes;
    const { heads, scale, withQuery } = attributes;
    const { B, T, S, A, M } = attentionSizes(query, keys, values);
    const K = heads || 1;
    const outer = query.shape.slice(0, -1); // [B] or [B,T]
    const row = rowLayout(withQuery, A, M);
    const context = makeOutput([...outer, row.width], 'float32');
    const weights = makeOutput(heads ? [B, heads, ...outer.slice(1), S] : [...outer, S], 'float32');
    const k = kernels();
    withScratch(k.attentionScratchBytes(T, S, A / K, M / K), (scratch) => {
      const [q, w, c] = [address(query), address(weights), address(context)];
      if (withQuery) k.copyRuns(q, A * 4, B * T, A * 4, c + row.query, row.width * 4);
      k.dotWeights(q, address(keys), ...maskLayout(mask), w, B, K, T, S, A / K, scale, scratch);
      withDropped(w, [B, K, T, S], attributes, (dropped) =>
        k.attentionMix(dropped, address(values), c + row.context, row.width, false, B, K, T, S, M / K, scratch),
      );
    });
    return [context, weights];
  },
};

/**
 * dP = drop(dContext Vᵀ) + dWeights, dScores = scale P (dP − rows' sums of P dP); then
 * dQuery = dScores K, dKeys = dScoresᵀ Q, dValues = drop(P)ᵀ dContext.
 */
export const dotAttentionGradient: GradConfig = {
  kernelName: DOT_ATTENTION,
  inputsToSave: ['query', 'keys', 'values'],
  outputsToSave: [false, true],
  gradFunc: (dy, saved, attrs) => {
    const [dContext, dWeights] = dy as Tensor[] as [Tensor, Tensor];
    const [query, keys, values, weights] = saved as [Tensor, Tensor, Tensor, Tensor];
    const attributes = attrs as unknown as Attributes;
    const { B, T, S, A, M } = attentionSizes(query, keys, values);
    const K = attributes.heads || 1;
    const row = rowLayout(attributes.withQuery, A, M);
    const mixed = address(dContext) + row.context; // of the context itself
    const k = kernels();
    const scratchBytes = k.attentionScratchBytes(T, S, A / K, M / K);
    const filled = (shape: number[], fill: (out: number, scratch: number) => void): Tensor => {
      const out = makeOutput(shape, 'float32');
      withScratch(scratchBytes, (scratch) => fill(address(out), scratch));
      return engine().makeTensorFromTensorInfo(out);
    };
    const dScores = filled(weights.shape, (out, scratch) => {
      const w = address(weights);
      k.attentionWeightGradient(w, mixed, row.width, address(values), out, B, K, T, S, M / K, scratch);
      drop(out, out, [B, K, T, S], attributes);
      k.attentionScoreGradient(w, out, address(dWeights), B * K * T, S, attributes.scale);
    });
    return {
      query: () =>
        filled(query.shape, (out, scratch) => {
          const { withQuery } = attributes;
          if (withQuery) k.copyRuns(address(dContext) + row.query, row.width * 4, B * T, A * 4, out, A * 4);
          k.attentionMix(address(dScores), address(keys), out, A, !!withQuery, B, K, T, S, A / K, scratch);
        }),
      keys: () =>
        filled(keys.shape, (out, scratch) =>
          k.attentionMixTransposed(address(dScores), address(query), A, out, B, K, T, S, A / K, scratch),
        ),
      values: () =>
        filled(values.shape, (out, scratch) =>
          withDropped(address(weights), [B, K, T, S], attributes, (dropped) =>
            k.attentionMixTransposed(dropped, mixed, row.width, out, B, K, T, S, M / K, scratch),
          ),
        ),
    };
  },
};

/** A row of the context tensor: its width in floats, and where context and query begin in bytes. */
function rowLayout(withQuery: WithQuery | '', A: number, M: number) {
  if (!withQuery) return { width: M, context: 0, query: 0 };
  const first = withQuery === 'before';
  return { width: A + M, context: first ? 4 * A : 0, query: first ? 0 : 4 * M };
}

/** Calls `use` with the weights after dropout, which are the weights themselves where nothing is dropped. */
function withDropped(weights: number, shape: WeightsShape, attributes: Attributes, use: (dropped: number) => void) {
  if (attributes.rate === 0) return use(weights);
  withScratch(4 * util.sizeFromShape(shape), (dropped) => {
    drop(weights, dropped, shape, attributes);
    use(dropped);
  });
}

/** to[B,K,T,S] = from after dropout; nothing at a rate of 0. */
function drop(from: number, to: number, [B, K, T, S]: WeightsShape, attributes: Attributes): void {
  const { rate, keyA, keyB, rowOffset } = attributes;
  if (rate === 0) return;
  for (let at = 0; at < B * K; at++) {
    const bytes = 4 * at * T * S;
    const row = attentionDropoutRow(rowOffset * K + at);
    kernels().dropoutRows(from + bytes, to + bytes, T, S, row, keyA, keyB, dropoutThreshold(rate), 1 / (1 - rate));
  }
}
