import type { Tensor } from '@tensorflow/tfjs-core';
import { layerNorm } from '../ops/layer-norm.js';
import { Module } from './module.js';
import { constantParameter, type Parameter } from './parameter.js';

export interface LayerNormOptions {
  size: number;
  epsilon?: number;
}

/** y = (x - mean) / √(variance + ε) · weight + bias. Parameters `weight` (ones) and `bias` (zeros), both [size], as PyTorch's nn.LayerNorm. */
export class LayerNorm extends Module {
  readonly weight: Parameter;
  readonly bias: Parameter;
  readonly epsilon: number;

  constructor({ size, epsilon = 1e-5 }: LayerNormOptions) {
    super();
    this.epsilon = epsilon;
    this.weight = this.own('weight', constantParameter([size], 1));
    this.bias = this.own('bias', constantParameter([size], 0));
  }

  /** x [..., size] → the same shape. */
  forward(x: Tensor): Tensor {
    return layerNorm(x, this.weight, this.bias, this.epsilon);
  }
}
