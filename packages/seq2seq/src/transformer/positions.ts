// Where a token stands, as a vector: attention alone does not know.
import { Embedding, Module } from '@seqloom/tensor-ops';
import { range, type Tensor, tensor2d } from '@tensorflow/tfjs-core';

/** Vectors [count, H] of the positions from `first` on. */
export interface Positions {
  /** Positions there are. */
  readonly limit: number;
  vectors(first: number, count: number): Tensor;
}

/** P(p, 2i) = sin(p / 10000^(2i/H)), P(p, 2i+1) = cos of the same (Vaswani et al. 2017, section 3.5). */
export class SinusoidalPositions implements Positions {
  readonly limit = Number.POSITIVE_INFINITY;

  constructor(private readonly size: number) {}

  vectors(first: number, count: number): Tensor {
    const { size } = this;
    const values = Float32Array.from({ length: count * size }, (_, at) => {
      const position = first + Math.floor(at / size);
      const i = at % size;
      const angle = position / 10_000 ** ((i - (i % 2)) / size);
      return i % 2 === 0 ? Math.sin(angle) : Math.cos(angle);
    });
    return tensor2d(values, [count, size]);
  }
}

/** A trained vector for each of the first `limit` positions. Parameter `weight` [limit, H]. */
export class LearnedPositions extends Module implements Positions {
  readonly limit: number;
  private readonly table: Embedding;

  constructor({ limit, size, seed }: { limit: number; size: number; seed: number }) {
    super();
    this.limit = limit;
    this.table = new Embedding({ numEmbeddings: limit, embeddingSize: size, deviation: DEVIATION, seed });
    this.own('weight', this.table.weight);
  }

  /** @throws Error when a position is beyond the last */
  vectors(first: number, count: number): Tensor {
    if (first + count > this.limit) {
      throw new Error(
        `transformer: learned positions reach to ${this.limit} (maxPositions); got a sequence of ${first + count} tokens`,
      );
    }
    return this.table.forward(range(first, first + count, 1, 'int32'));
  }
}

/** As BERT's: small beside token vectors, so that tokens are told apart from the start. */
const DEVIATION = 0.02;
