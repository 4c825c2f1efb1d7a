import {
  type Attended,
  additiveAttention,
  constantParameter,
  deriveSeed,
  linear,
  type Parameter,
  uniformParameter,
} from '@seqloom/tensor-ops';
import { slice, type Tensor, type Tensor1D, type Tensor2D, tidy } from '@tensorflow/tfjs-core';
import { type AttendOptions, Attention, type AttentionMemory, checkSizes, joinQuery } from '../attention.js';
import type { AdditiveAttentionOptions } from './additive.js';
import { ScoreVector } from './score-vector.js';

/**
 * score = v · tanh(W [query; key] [+ b] [+ coverage · u]): an additive score whose two matrices are one.
 *
 * Parameters `weight` [hiddenSize, querySize + memorySize], `bias` [hiddenSize], `score.v` [hiddenSize], `score.g` [] and
 * `coverage_weight` [hiddenSize], the optional ones where asked for.
 *
 * @see Luong et al. 2015, eq. 8, "concat"
 */
export class ConcatAttention extends Attention {
  readonly weight: Parameter;
  readonly bias: Parameter | null;
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
    super('ConcatAttention', { querySize, memorySize });
    checkSizes('ConcatAttention', { hiddenSize });
    const width = querySize + memorySize;
    const bound = 1 / Math.sqrt(width);
    this.weight = this.own('weight', uniformParameter([hiddenSize, width], bound, deriveSeed(seed, 'weight')));
    this.bias = bias ? this.own('bias', uniformParameter([hiddenSize], bound, deriveSeed(seed, 'bias'))) : null;
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
    const bias = (this.bias ?? undefined) as Tensor1D | undefined;
    return tidy(() => linear(memory, this.columns(this.querySize, this.memorySize), bias));
  }

  protected override weigh<Q extends Tensor>(
    query: Q,
    { keys, values }: AttentionMemory,
    { mask, withQuery, coverage: sum }: AttendOptions,
  ): Attended<Q> {
    const coverage = sum && this.coverageWeight ? { sum, weight: this.coverageWeight } : undefined;
    return tidy(() => {
      const projected = linear(query, this.columns(0, this.querySize));
      const attended = additiveAttention(projected, keys, this.score.value(), values, { mask, coverage });
      return joinQuery(query, attended as Attended<Q>, withQuery);
    });
  }

  private columns(from: number, count: number): Tensor2D {
    return slice(this.weight as unknown as Tensor2D, [0, from], [-1, count]);
  }
}
