// Additive attention in one kernel: the [B,T,S,A] of tanh is never stored, neither forward nor backward.
import { engine, type GradConfig, type KernelConfig, type Tensor, type TensorInfo } from '@tensorflow/tfjs-core';
import { additiveAttentionReference } from '../reference/additive-attention.js';
import { address, makeOutput, withScratch } from '../wasm/heap.js';
import { kernels } from '../wasm/kernels.js';
import { type Attended, type AttentionSizes, attentionSizes, checkedSizes, maskLayout } from './attention-inputs.js';
import { checkFloats, runOp } from './run-op.js';

// One kernel under two names, as tfjs saves a fixed list of inputs for the gradient of each name.
const ADDITIVE_ATTENTION = 'SeqloomAdditiveAttention';
const COVERAGE_ATTENTION = 'SeqloomCoverageAttention';

/** What a query has attended so far, as a term of the score. */
export interface CoverageTerm {
  /** [B,T,S], or [B,S] for a query [B,A]: how much each key has been attended. */
  sum: Tensor;
  /** [A]: what that adds to the argument of tanh. */
  weight: Tensor;
}

/** Options of additive attention. */
export interface AdditiveAttentionOptions {
  /** [B,S] or [B,T,S] bool, true = attend; B and T may be 1. */
  mask?: Tensor | undefined;
  coverage?: CoverageTerm | undefined;
}

/** The kernel's inputs; the last three may be missing, coverage and its weight together. */
type Inputs<T> = Record<'query' | 'keys' | 'vector' | 'values', T> & Partial<Record<'mask' | 'coverage' | 'weight', T>>;

/**
 * score = vector · tanh(query + key [+ coverage · weight]); weights = softmax(scores) over the keys that the mask allows;
 * context = weights values. Query and keys come projected: W₁s and W₂h of the paper.
 *
 * A query that may attend nothing has weights and context zero; masked positions have weight exactly zero.
 *
 * @param query [B,T,A], or [B,A] for a single query a row
 * @param keys [B,S,A]
 * @param vector [A]
 * @param values [B,S,M]
 * @returns context [B,T,M] and weights [B,T,S]; for a query [B,A], [B,M] and [B,S]
 * @throws Error when the shapes do not fit, one of them is not of floats, or the mask not bool
 * @see Bahdanau et al. 2015, A.1.2; coverage: Tu et al. 2016, eq. 6, and See et al. 2017, eq. 11
 * @example
 * const [query, keys] = [tf.randomNormal([2, 4]), tf.randomNormal([2, 5, 4])]; // both projected
 * const { context, weights } = additiveAttention(query, keys, tf.ones([4]), tf.randomNormal([2, 5, 6]));
 * console.log(context.shape, weights.shape); // → 2,6 2,5
 */
export function additiveAttention<Q extends Tensor>(
  query: Q,
  keys: Tensor,
  vector: Tensor,
  values: Tensor,
  { mask, coverage }: AdditiveAttentionOptions = {},
): Attended<Q> {
  const sizes = checkedSizes('additiveAttention', query, keys, values, mask);
  checkVector('vector', vector, sizes);
  const inputs: Inputs<Tensor> = { query, keys, vector, values };
  if (mask) inputs.mask = mask;
  if (coverage) {
    checkVector('coverage.weight', coverage.weight, sizes);
    checkFloats('additiveAttention', { 'coverage.sum': coverage.sum });
    const wanted = [...query.shape.slice(0, -1), sizes.S];
    if (coverage.sum.shape.join() !== wanted.join()) {
      throw new Error(`additiveAttention: coverage.sum must be [${wanted}]; got [${coverage.sum.shape}]`);
    }
    inputs.coverage = coverage.sum;
    inputs.weight = coverage.weight;
  }
  const name = coverage ? COVERAGE_ATTENTION : ADDITIVE_ATTENTION;
  const [context, weights] = runOp<Tensor[]>(name, inputs as Record<string, Tensor>, {}, () =>
    additiveAttentionReference(query, keys, vector, values, mask, coverage),
  );
  return { context, weights } as Attended<Q>;
}

function checkVector(name: string, vector: Tensor, { A }: AttentionSizes): void {
  checkFloats('additiveAttention', { [name]: vector });
  const { shape } = vector;
  if (shape.length !== 1 || shape[0] !== A) {
    throw new Error(`additiveAttention: ${name} must be [${A}], as the query's last axis is ${A}; got [${shape}]`);
  }
}

/** Forward: scores key by key, masked softmax, mean of the values. */
export const additiveAttentionKernels: KernelConfig[] = [ADDITIVE_ATTENTION, COVERAGE_ATTENTION].map((kernelName) => ({
  kernelName,
  backendName: 'wasm',
  kernelFunc: ({ inputs }) => {
    const { query, keys, vector, values, mask, coverage, weight } = inputs as unknown as Inputs<TensorInfo>;
    const { B, T, S, A, M } = attentionSizes(query, keys, values);
    const outer = query.shape.slice(0, -1); // [B] or [B,T]
    const context = makeOutput([...outer, M], 'float32');
    const weights = makeOutput([...outer, S], 'float32');
    const k = kernels();
    const bytes = Math.max(k.additiveScratchBytes(T, S, A), k.attentionScratchBytes(T, S, 0, M));
    withScratch(bytes, (scratch) => {
      const [q, ks, v, c, u] = pointers(query, keys, vector, coverage, weight);
      k.additiveWeights(q, ks, v, c, u, ...maskLayout(mask), address(weights), B, T, S, A, scratch);
      k.attentionMix(address(weights), address(values), address(context), M, false, B, 1, T, S, M, scratch);
    });
    return [context, weights];
  },
}));

/**
 * dScores as in dot-product attention; with h = tanh(·) computed again and d = dScores v (1 − h²):
 * dQuery = Σₛ d, dKeys = Σₜ d, dVector = Σ dScores h, dCoverage = d · weight, dWeight = Σ d coverage.
 */
const gradFunc: GradConfig['gradFunc'] = (dy, saved) => {
  const [dContext, dWeights] = dy as Tensor[] as [Tensor, Tensor];
  const weights = saved[saved.length - 1] as Tensor;
  const [query, keys, vector, values, ...rest] = saved.slice(0, -1) as [Tensor, Tensor, Tensor, Tensor, ...Tensor[]];
  const [coverage, weight] = rest;
  const { B, T, S, A, M } = attentionSizes(query, keys, values);
  const k = kernels();
  const like = ({ shape }: TensorInfo) => engine().makeTensorFromTensorInfo(makeOutput(shape, 'float32'));
  const [dScores, dQuery, dKeys, dVector] = [like(weights), like(query), like(keys), like(vector)];
  const [dCoverage, dWeight] = [coverage && like(coverage), weight && like(weight)];
  const bytes = Math.max(k.additiveScratchBytes(T, S, A), k.attentionScratchBytes(T, S, 0, M));
  withScratch(bytes, (scratch) => {
    const [w, v, dc, dw] = pointers(weights, values, dContext, dWeights);
    const ds = address(dScores);
    k.attentionWeightGradient(w, dc, M, v, ds, B, 1, T, S, M, scratch);
    k.attentionScoreGradient(w, ds, dw, B * T, S, 1);
    const given = pointers(query, keys, vector, coverage, weight);
    const wanted = pointers(dQuery, dKeys, dVector, dCoverage, dWeight);
    k.additiveGradient(...given, ds, ...wanted, B, T, S, A, scratch);
  });
  return {
    query: () => dQuery,
    keys: () => dKeys,
    vector: () => dVector,
    values: () => {
      const dValues = like(values);
      withScratch(bytes, (scratch) => {
        const [w, dc, dv] = pointers(weights, dContext, dValues);
        k.attentionMixTransposed(w, dc, M, dv, B, 1, T, S, M, scratch);
      });
      return dValues;
    },
    coverage: () => dCoverage as Tensor,
    weight: () => dWeight as Tensor,
  };
};

const DIFFERENTIABLE = ['query', 'keys', 'vector', 'values'];

export const additiveAttentionGradients: GradConfig[] = [
  { kernelName: ADDITIVE_ATTENTION, inputsToSave: DIFFERENTIABLE, outputsToSave: [false, true], gradFunc },
  {
    kernelName: COVERAGE_ATTENTION,
    inputsToSave: [...DIFFERENTIABLE, 'coverage', 'weight'],
    outputsToSave: [false, true],
    gradFunc,
  },
];

/** Addresses, 0 for what is missing. */
function pointers<const T extends readonly (TensorInfo | undefined)[]>(...tensors: T): { [I in keyof T]: number } {
  return tensors.map((tensor) => (tensor ? address(tensor) : 0)) as { [I in keyof T]: number };
}
