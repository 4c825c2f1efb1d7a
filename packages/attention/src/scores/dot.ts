import type { Attended } from '@seqloom/tensor-ops';
import type { Tensor } from '@tensorflow/tfjs-core';
import { type AttendOptions, Attention, type AttentionMemory, type AttentionSizes } from '../attention.js';
import { dotProductAttention } from '../dot-product-attention.js';

/** score = query · key. No parameters; querySize and memorySize must be equal. Luong et al. 2015, eq. 8, "dot". */
export class DotAttention extends Attention {
  /** @throws Error when querySize and memorySize differ */
  constructor({ querySize, memorySize }: AttentionSizes) {
    super('DotAttention', { querySize, memorySize });
    checkEqual('DotAttention', querySize, memorySize);
  }

  protected override keysOf(memory: Tensor): Tensor {
    return memory;
  }

  protected override weigh<Q extends Tensor>(query: Q, memory: AttentionMemory, options: AttendOptions): Attended<Q> {
    return dotProductAttention(query, memory.keys, memory.values, options);
  }
}

/** Dot products need both sides equally wide. */
export function checkEqual(name: string, querySize: number, memorySize: number): void {
  if (querySize !== memorySize) {
    throw new Error(
      `${name}: querySize and memorySize must be equal; got ${querySize} and ${memorySize}. GeneralAttention takes any two`,
    );
  }
}
