import type { Tensor } from '@tensorflow/tfjs-core';
import { layerNorm } from '../ops/layer-norm.js';
import { Module } from './module.js';
import { constantParameter, type Parameter } from './parameter.js';

export interface LayerNormOptions {
  size: number;
  epsilon?: number;
  /** Whether there is a `weight`, and a `bias` unless that is false; true where left out. */
  elementwiseAffine?: boolean;
  /** Whether there is a `bias`; true where left out. */
  bias?: boolean;
}

/** y = (x - mean) / √(variance + ε) · weight + bias. Parameters `weight` (ones) and `bias` (zeros), both [size], as PyTorch's nn.LayerNorm. */
export class LayerNorm extends Module {
  /** Ones that never change without `elementwiseAffine`. */
  readonly weight: Parameter;
  /** Zeros that never change without `bias`. */
  readonly bias: Parameter;
  readonly epsilon: number;

  constructor({ size, epsilon = 1e-5, elementwiseAffine = true, bias = true }: LayerNormOptions) {
    super();
    this.epsilon = epsilon;
    this.weight = constantParameter([size], 1);
    this.bias = constantParameter([size], 0);
    if (elementwiseAffine) this.own('weight', this.weight);
    if (elementwiseAffine && bias) this.own('bias', this.bias);
  }

  /** x [..., size] → the same shape. */
  forward(x: Tensor): Tensor {
    return layerNorm(x, this.weight, this.bias, this.epsilon);
  }

  override dispose(): void {
    for (const values of [this.weight, this.bias]) if (!values.isDisposed) values.dispose();
  }
}
