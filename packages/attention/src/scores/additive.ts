import {
  type Attended,
  additiveAttention,
  constantParameter,
  deriveSeed,
  Linear,
  type Parameter,
} from '@seqloom/tensor-ops';
import { type Tensor, tidy } from '@tensorflow/tfjs-core';
import { type AttendOptions, Attention, type AttentionMemory, checkSizes, joinQuery } from '../attention.js';
import { ScoreVector } from './score-vector.js';

/** Sizes and forms of an additive score. */
export interface AdditiveAttentionOptions {
  querySize: number;
  memorySize: number;
  /** Width of the hidden layer inside the score. */
  hiddenSize: number;
  /** A bias inside tanh; unless said, only where `normalized`. */
  bias?: boolean;
  /** v becomes g v/‖v‖ (Salimans & Kingma 2016); false unless said. */
  normalized?: boolean;
  /** A term coverage · u inside tanh (Tu et al. 2016; See et al. 2017); false unless said. */
  coverage?: boolean;
  seed: number;
}

/**
 * score = v · tanh(W₁ query + W₂ key [+ b] [+ coverage · u]).
 *
 * Parameters `query.weight` [hiddenSize, querySize], `memory.weight` [hiddenSize, memorySize], `memory.bias` [hiddenSize],
 * `score.v` [hiddenSize], `score.g` [] and `coverage_weight` [hiddenSize], the last ones where asked for.
 *
 * @see Bahdanau et al. 2015, A.1.2; normalised: Salimans & Kingma 2016; coverage: Tu et al. 2016, eq. 6, See et al. 2017, eq. 11
 * @example
 * const attention = new AdditiveAttention({ querySize: 8, memorySize: 16, hiddenSize: 4, seed: 1 });
 * const memory = attention.project(tf.randomNormal([2, 5, 16])); // an encoder's outputs, once a source
 * const { context, weights } = attention.attend(tf.randomNormal([2, 8]), memory); // a decoder's state, each step
 * console.log(context.shape, weights.shape); // → 2,16 2,5
 */
export class AdditiveAttention extends Attention {
  private readonly query: Linear;
  private readonly memory: Linear;
  private readonly score: ScoreVector;
  private readonly coverageWeight: Parameter | null;

  constructor({
    querySize,
    memorySize,
    hiddenSize,
    normalized = false,
    bias = normalized,
    coverage = false,
    seed,
  }: AdditiveAttentionOptions) {
    super('AdditiveAttention', { querySize, memorySize });
    checkSizes('AdditiveAttention', { hiddenSize });
    const part = (name: string) => ({ outputSize: hiddenSize, seed: deriveSeed(seed, name) });
    this.query = this.child('query', new Linear({ inputSize: querySize, bias: false, ...part('query') }));
    this.memory = this.child('memory', new Linear({ inputSize: memorySize, bias, ...part('memory') }));
    this.score = this.child(
      'score',
      new ScoreVector({ size: hiddenSize, normalized, seed: deriveSeed(seed, 'score') }),
    );
    this.coverageWeight = coverage ? this.own('coverage_weight', constantParameter([hiddenSize], 0)) : null;
  }

  override get takesCoverage(): boolean {
    return this.coverageWeight !== null;
  }

  protected override keysOf(memory: Tensor): Tensor {
    return this.memory.forward(memory);
  }

  protected override weigh<Q extends Tensor>(
    query: Q,
    { keys, values }: AttentionMemory,
    { mask, withQuery, coverage: sum }: AttendOptions,
  ): Attended<Q> {
    const coverage = sum && this.coverageWeight ? { sum, weight: this.coverageWeight } : undefined;
    return tidy(() => {
      const projected = this.query.forward(query);
      const attended = additiveAttention(projected, keys, this.score.value(), values, { mask, coverage });
      return joinQuery(query, attended as Attended<Q>, withQuery);
    });
  }
}
