import type { Dropout, DropoutKey, Embedding, SequenceInput } from '@seqloom/tensor-ops';
import type { Tensor2D, Tensor3D } from '@tensorflow/tfjs-core';

/** Tokens int32 [B, T] as recurrent layers read them: where vectors are dropped in part, every place has its own. */
export function tokenSequence(
  tokens: Tensor2D,
  embedding: Embedding,
  dropout: Dropout,
  key: DropoutKey | undefined,
): SequenceInput {
  if (!dropout.drops(key)) return embedding.sequence(tokens);
  return dropout.forward(embedding.forward(tokens), key) as Tensor3D;
}
