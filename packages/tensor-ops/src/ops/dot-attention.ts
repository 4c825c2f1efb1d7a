// Dot-product attention, one head or many. Weights and context come from one kernel, and gradients flow back through both.
import { engine, type GradConfig, type KernelConfig, type Tensor, type TensorInfo } from '@tensorflow/tfjs-core';
import { dotAttentionReference, multiHeadDotAttentionReference } from '../reference/dot-attention.js';
import { address, makeOutput, withScratch } from '../wasm/heap.js';
import { kernels } from '../wasm/kernels.js';
import { type Attended, attentionSizes, checkedSizes, maskLayout } from './attention-inputs.js';
import { runOp } from './run-op.js';

const DOT_ATTENTION = 'SeqloomDotAttention';

/** Options of dot-product attention. */
export interface DotAttentionOptions {
  /** Factor of the scores; 1 unless given. 1/√A makes scaled dot-product attention. */
  scale?: number;
  /** [B,S] or [B,T,S] bool, true = attend; B and T may be 1. */
  mask?: Tensor | undefined;
}

interface Attributes {
  /** 0: one head, whose axis the weights do not have. */
  heads: number;
  scale: number;
}

/**
 * weights = softmax(scale · query keysᵀ) over the keys that the mask allows; context = weights values.
 *
 * A query that may attend nothing has weights and context zero; masked positions have weight exactly zero.
 *
 * @param query [B,T,A], or [B,A] for a single query a row
 * @param keys [B,S,A]
 * @param values [B,S,M]
 * @returns context [B,T,M] and weights [B,T,S]; for a query [B,A], [B,M] and [B,S]
 * @throws Error when the shapes do not fit, or the mask is not bool
 * @see Luong et al. 2015, "dot"; Vaswani et al. 2017, eq. 1, for scale = 1/√A
 * @example
 * const { context, weights } = dotAttention(query, keys, values, { scale: 1 / Math.sqrt(64), mask });
 */
export function dotAttention<Q extends Tensor>(
  query: Q,
  keys: Tensor,
  values: Tensor,
  { scale = 1, mask }: DotAttentionOptions = {},
): Attended<Q> {
  checkedSizes('dotAttention', query, keys, values, mask);
  const inputs = mask ? { query, keys, values, mask } : { query, keys, values };
  const [context, weights] = runOp<Tensor[]>(DOT_ATTENTION, inputs, { heads: 0, scale }, () =>
    dotAttentionReference(query, keys, values, scale, mask),
  );
  return { context, weights } as Attended<Q>;
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
 * @throws Error when the shapes do not fit, or the mask is not bool
 * @see Vaswani et al. 2017, section 3.2.2
 */
export function multiHeadDotAttention(
  query: Tensor,
  keys: Tensor,
  values: Tensor,
  heads: number,
  { scale = 1, mask }: DotAttentionOptions = {},
): { context: Tensor; weights: Tensor } {
  const { A, N } = checkedSizes('multiHeadDotAttention', query, keys, values, mask);
  if (!Number.isInteger(heads) || heads < 1 || A % heads !== 0 || N % heads !== 0) {
    throw new Error(`multiHeadDotAttention: heads must divide the widths ${A} and ${N}; got ${heads}`);
  }
  const inputs = mask ? { query, keys, values, mask } : { query, keys, values };
  const [context, weights] = runOp<Tensor[]>(DOT_ATTENTION, inputs, { heads, scale }, () =>
    multiHeadDotAttentionReference(query, keys, values, heads, scale, mask),
  );
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
    const { heads, scale } = attrs as unknown as Attributes;
    const { B, T, S, A, N } = attentionSizes(query, keys, values);
    const K = heads || 1;
    const outer = query.shape.slice(0, -1); // [B] or [B,T]
    const context = makeOutput([...outer, N], 'float32');
    const weights = makeOutput(heads ? [B, heads, ...outer.slice(1), S] : [...outer, S], 'float32');
    const k = kernels();
    withScratch(k.attentionScratchBytes(T, S, A / K, N / K), (scratch) => {
      const [q, w] = [address(query), address(weights)];
      k.dotWeights(q, address(keys), ...maskLayout(mask), w, B, K, T, S, A / K, scale, scratch);
      k.attentionMix(w, address(values), address(context), B, K, T, S, N / K, scratch);
    });
    return [context, weights];
  },
};

/**
 * dP = dContext Vᵀ + dWeights, dScores = scale P (dP − rows' sums of P dP); then
 * dQuery = dScores K, dKeys = dScoresᵀ Q, dValues = Pᵀ dContext.
 */
export const dotAttentionGradient: GradConfig = {
  kernelName: DOT_ATTENTION,
  inputsToSave: ['query', 'keys', 'values'],
  outputsToSave: [false, true],
  gradFunc: (dy, saved, attrs) => {
    const [dContext, dWeights] = dy as Tensor[] as [Tensor, Tensor];
    const [query, keys, values, weights] = saved as [Tensor, Tensor, Tensor, Tensor];
    const { heads, scale } = attrs as unknown as Attributes;
    const { B, T, S, A, N } = attentionSizes(query, keys, values);
    const K = heads || 1;
    const k = kernels();
    const scratchBytes = k.attentionScratchBytes(T, S, A / K, N / K);
    const filled = (shape: number[], fill: (out: number, scratch: number) => void): Tensor => {
      const out = makeOutput(shape, 'float32');
      withScratch(scratchBytes, (scratch) => fill(address(out), scratch));
      return engine().makeTensorFromTensorInfo(out);
    };
    const dScores = filled(weights.shape, (out, scratch) => {
      const [w, v, dc, dw] = [weights, values, dContext, dWeights].map(address) as [number, number, number, number];
      k.attentionScoreGradient(w, v, dc, dw, out, B, K, T, S, N / K, scale, scratch);
    });
    return {
      query: () =>
        filled(query.shape, (out, scratch) =>
          k.attentionMix(address(dScores), address(keys), out, B, K, T, S, A / K, scratch),
        ),
      keys: () =>
        filled(keys.shape, (out, scratch) =>
          k.attentionMixTransposed(address(dScores), address(query), out, B, K, T, S, A / K, scratch),
        ),
      values: () =>
        filled(values.shape, (out, scratch) =>
          k.attentionMixTransposed(address(weights), address(dContext), out, B, K, T, S, N / K, scratch),
        ),
    };
  },
};
