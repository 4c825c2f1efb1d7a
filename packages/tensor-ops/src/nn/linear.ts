import type { Tensor } from '@tensorflow/tfjs-core';
import { linear } from '../ops/linear.js';
import { deriveSeed } from '../random.js';
import { Module } from './module.js';
import { type Parameter, uniformParameter } from './parameter.js';

/** Sizes of a `Linear`; `bias` defaults to true. */
export interface LinearOptions {
  inputSize: number;
  outputSize: number;
  bias?: boolean;
  seed: number;
}

/**
 * y = x Wᵀ + b. Parameters `weight` [outputSize, inputSize] and `bias` [outputSize], both from
 * U(-1/√inputSize, 1/√inputSize) as in PyTorch's nn.Linear.
 */
export class Linear extends Module {
  readonly weight: Parameter;
  readonly bias: Parameter | null;

  constructor({ inputSize, outputSize, bias = true, seed }: LinearOptions) {
    super();
    const bound = 1 / Math.sqrt(inputSize);
    this.weight = this.own('weight', uniformParameter([outputSize, inputSize], bound, deriveSeed(seed, 'weight')));
    this.bias = bias ? this.own('bias', uniformParameter([outputSize], bound, deriveSeed(seed, 'bias'))) : null;
  }

  /** x [..., inputSize] → [..., outputSize]. */
  forward(x: Tensor): Tensor {
    return linear(x, this.weight, this.bias ?? undefined);
  }
}
