import { type Tensor, type Tensor2D, type Tensor3D, tensor, tensor1d } from '@tensorflow/tfjs-core';
import { checkIds } from '../ops/check-ids.js';
import { embedding } from '../ops/embedding.js';
import type { SequenceInput } from '../ops/recurrence/sequence-input.js';
import { deriveSeed } from '../random.js';
import { Module } from './module.js';
import { normalParameter, type Parameter } from './parameter.js';

/** Share of distinct ids up to which a table of them costs less than a vector for each place. */
const WORTH_A_TABLE = 0.8;

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
    const { paddingId } = this;
    return embedding(this.weight, ids, paddingId === undefined ? {} : { paddingId });
  }

  /**
   * ids int32 [B, T] for a recurrence, which computes the products of a repeated token once: the vectors of the distinct ids, and
   * where each is read; where few ids repeat, a vector each as `forward` gives.
   *
   * @throws Error when an id is outside the table
   */
  sequence(ids: Tensor2D): SequenceInput {
    const [size] = this.weight.shape as [number];
    const places = new Int32Array(size).fill(-1); // of each id in the table
    const distinct: number[] = [];
    const read = checkIds(ids, size, 'embedding', 'ids').map((id) => {
      if (places[id]! < 0) places[id] = distinct.push(id) - 1;
      return places[id]!;
    });
    if (distinct.length > WORTH_A_TABLE * read.length) return this.forward(ids) as Tensor3D;
    return { table: this.forward(tensor1d(distinct, 'int32')) as Tensor2D, ids: read, shape: ids.shape };
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
