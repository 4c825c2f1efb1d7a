import { Dropout, type DropoutKey, deriveSeed, Embedding, Module } from '@seqloom/tensor-ops';
import { add, mul, type Tensor, type Tensor3D } from '@tensorflow/tfjs-core';
import type { TransformerConfig } from '../config/transformer-config.js';
import { LearnedPositions, type Positions, SinusoidalPositions } from './positions.js';

export interface TokenVectorsOptions {
  config: TransformerConfig;
  vocabulary: number;
  padId: number;
  /** Another side's embedding, where both share one. */
  shared?: Embedding | undefined;
  seed: number;
}

/**
 * x = √H · embedding(token) + P(position), then dropout (Vaswani et al. 2017, sections 3.4 and 3.5). Parameters
 * `embedding.weight` [V, H], from N(0, 1/H), and `positions.weight` where positions are learned.
 */
export class TokenVectors extends Module {
  readonly embedding: Embedding;
  /** Longest sequence. */
  readonly limit: number;
  private readonly positions: Positions;
  private readonly scale: number;
  private readonly dropout: Dropout;

  constructor({
    config: { size, positions, maxPositions, dropout },
    vocabulary,
    padId,
    shared,
    seed,
  }: TokenVectorsOptions) {
    super();
    this.scale = Math.sqrt(size);
    const table = {
      numEmbeddings: vocabulary,
      embeddingSize: size,
      paddingId: padId,
      deviation: 1 / this.scale,
      seed: deriveSeed(seed, 'embedding'),
    };
    this.embedding = this.child('embedding', shared ?? new Embedding(table));
    const learned = { limit: maxPositions, size, seed: deriveSeed(seed, 'positions') };
    this.positions =
      positions === 'learned' ? this.child('positions', new LearnedPositions(learned)) : new SinusoidalPositions(size);
    this.limit = this.positions.limit;
    this.dropout = new Dropout({ rate: dropout, seed: deriveSeed(seed, 'dropout') });
  }

  /**
   * Tokens int32 [B, T] → [B, T, H].
   *
   * @param first position of the first token
   * @throws Error when a position is beyond the last learned one
   */
  forward(tokens: Tensor, first = 0, dropout?: DropoutKey): Tensor3D {
    const vectors = mul(this.embedding.forward(tokens), this.scale);
    const placed = add(vectors, this.positions.vectors(first, tokens.shape[1]!));
    return this.dropout.within(placed, dropout) as Tensor3D;
  }
}
