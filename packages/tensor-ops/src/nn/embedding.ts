import { type Tensor, type Tensor2D, tensor } from '@tensorflow/tfjs-core';
import { checkIds } from '../ops/check-ids.js';
import { embedding } from '../ops/embedding.js';
import type { TableSequence } from '../ops/recurrence/sequence-input.js';
import { deriveSeed } from '../random.js';
import { Module } from './module.js';
import { normalParameter, type Parameter } from './parameter.js';

/** Sizes of an `Embedding`; the row of `paddingId` starts at zero and never changes. */
export interface EmbeddingOptions {
  numEmbeddings: number;
  embeddingSize: number;
  paddingId?: number;
  /** Standard deviation of the first values; 1 unless given. */
  deviation?: number;
  seed: number;
}

/** y[i] = weight[ids[i]]. Parameter `weight` [numEmbeddings, embeddingSize] from N(0, deviation²), as PyTorch's nn.Embedding. */
export class Embedding extends Module {
  readonly weight: Parameter;
  readonly paddingId: number | undefined;

  /** @throws Error when paddingId is outside the table */
  constructor({ numEmbeddings, embeddingSize, paddingId, deviation = 1, seed }: EmbeddingOptions) {
    super();
    if (paddingId !== undefined && !(paddingId >= 0 && paddingId < numEmbeddings)) {
      throw new Error(`Embedding: paddingId must be in [0, ${numEmbeddings}); got ${paddingId}`);
    }
    this.paddingId = paddingId;
    const shape = [numEmbeddings, embeddingSize];
    this.weight = this.own('weight', normalParameter(shape, deviation, deriveSeed(seed, 'weight')));
    if (paddingId !== undefined) zeroRow(this.weight, paddingId);
  }

  /** ids int32 [...] → [..., embeddingSize]. @throws Error when an id is outside the table */
  forward(ids: Tensor): Tensor {
    return embedding(this.weight, ids, { paddingId: this.paddingId });
  }

  /** ids int32 [B, T] for a recurrence, which computes the products of a repeated token once. @throws Error when an id is outside the table */
  sequence(ids: Tensor2D): TableSequence {
    const { weight, paddingId } = this;
    const read = checkIds(ids, weight.shape[0]!, 'embedding', 'ids');
    return { table: weight as Tensor as Tensor2D, ids: read, shape: ids.shape, paddingId };
  }
}

function zeroRow(weight: Parameter, row: number): void {
  const width = weight.shape[1] as number;
  const values = weight
    .dataSync()
    .slice()
    .fill(0, row * width, (row + 1) * width);
  const zeroed = tensor(values, weight.shape, 'float32');
  weight.assign(zeroed);
  zeroed.dispose();
}
