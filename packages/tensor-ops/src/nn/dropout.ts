import { clone, type Tensor } from '@tensorflow/tfjs-core';
import { dropout } from '../ops/dropout.js';
import type { DropoutKey } from './dropout-key.js';
import { Module } from './module.js';

export interface DropoutOptions {
  /** Probability of dropping an element, in [0, 1). */
  rate: number;
  /** Tells this layer's masks from those of the model's other dropouts. */
  seed: number;
}

/** y = x · mask / (1 - rate) while training, y = x without a key. No parameters. */
export class Dropout extends Module {
  readonly rate: number;
  private readonly stream: number;

  /** @throws Error when the rate is outside [0, 1) */
  constructor({ rate, seed }: DropoutOptions) {
    super();
    if (!(rate >= 0 && rate < 1)) throw new Error(`Dropout: rate must be in [0, 1); got ${rate}`);
    this.rate = rate;
    this.stream = seed;
  }

  /** x [B, ...] → the same shape; a tensor of its own even where nothing is dropped. */
  forward(x: Tensor, key?: DropoutKey): Tensor {
    return key ? dropout(x, this.rate, key, this.stream) : clone(x);
  }

  /** Whether anything is dropped with this key. */
  drops(key?: DropoutKey): key is DropoutKey {
    return key !== undefined && this.rate > 0;
  }

  /** As `forward`, but x itself where nothing is dropped: for use inside a tidy, where nobody disposes what others hold. */
  within(x: Tensor, key?: DropoutKey): Tensor {
    return this.drops(key) ? dropout(x, this.rate, key, this.stream) : x;
  }
}
