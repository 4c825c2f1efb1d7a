import type { Attended } from '@seqloom/tensor-ops';
import type { Tensor } from '@tensorflow/tfjs-core';
import { type AttendOptions, Attention, type AttentionMemory, type AttentionSizes } from '../attention.js';
import { scaledDotProductAttention } from '../dot-product-attention.js';
import { checkEqual } from './dot.js';

/** score = query · key / √querySize. No parameters; querySize and memorySize must be equal. Vaswani et al. 2017, eq. 1. */
export class ScaledDotAttention extends Attention {
  /** @throws Error when querySize and memorySize differ */
  constructor({ querySize, memorySize }: AttentionSizes) {
    super('ScaledDotAttention', { querySize, memorySize });
    checkEqual('ScaledDotAttention', querySize, memorySize);
  }

  protected override keysOf(memory: Tensor): Tensor {
    return memory;
  }

  protected override weigh<Q extends Tensor>(query: Q, memory: AttentionMemory, options: AttendOptions): Attended<Q> {
    return scaledDotProductAttention(query, memory.keys, memory.values, options);
  }
}
