import { type Attended, dotAttention, linear, type Parameter, uniformParameter } from '@seqloom/tensor-ops';
import type { Tensor, Tensor2D } from '@tensorflow/tfjs-core';
import { type AttendOptions, Attention, type AttentionMemory } from '../attention.js';

/** Sizes of a `GeneralAttention`. */
export interface GeneralAttentionOptions {
  querySize: number;
  memorySize: number;
  seed: number;
}

/** score = queryᵀ W key, the bilinear form. Parameter `weight` [querySize, memorySize]. Luong et al. 2015, eq. 8, "general". */
export class GeneralAttention extends Attention {
  readonly weight: Parameter;

  constructor({ querySize, memorySize, seed }: GeneralAttentionOptions) {
    super('GeneralAttention', { querySize, memorySize });
    this.weight = this.own('weight', uniformParameter([querySize, memorySize], 1 / Math.sqrt(memorySize), seed));
  }

  /** W key, so that attending is a plain dot product. */
  protected override keysOf(memory: Tensor): Tensor {
    return linear(memory, this.weight as unknown as Tensor2D);
  }

  protected override weigh<Q extends Tensor>(query: Q, memory: AttentionMemory, options: AttendOptions): Attended<Q> {
    const { mask, withQuery } = options;
    return dotAttention(query, memory.keys, memory.values, { mask, withQuery });
  }
}
