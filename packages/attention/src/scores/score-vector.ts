import { constantParameter, deriveSeed, Module, type Parameter, uniformParameter } from '@seqloom/tensor-ops';
import { div, mul, norm, type Tensor } from '@tensorflow/tfjs-core';

/**
 * The v of v · tanh(…): parameter `v` [size] as it is, or normalised, g v/‖v‖ with a learnt length `g` (Salimans & Kingma 2016).
 */
export class ScoreVector extends Module {
  readonly v: Parameter;
  readonly g: Parameter | null;

  constructor({ size, normalized, seed }: { size: number; normalized: boolean; seed: number }) {
    super();
    const root = 1 / Math.sqrt(size);
    this.v = this.own('v', uniformParameter([size], root, deriveSeed(seed, 'v')));
    this.g = normalized ? this.own('g', constantParameter([], root)) : null;
  }

  /** [size]; inside a tidy, as it may be a new tensor. */
  value(): Tensor {
    return this.g ? mul(this.v, div(this.g, norm(this.v))) : this.v;
  }
}
