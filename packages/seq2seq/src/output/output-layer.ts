// The output layer: one linear map to the vocabulary.
import {
  constantParameter,
  deriveSeed,
  Linear,
  linear,
  linearCrossEntropy,
  logSoftmax,
  type Parameter,
  scoreTargets,
  type TargetScores,
  uniformParameter,
} from '@seqloom/tensor-ops';
import type { Scalar, Tensor, Tensor1D, Tensor2D } from '@tensorflow/tfjs-core';
import type { StepWeights } from '../step-weights.js';
import { IGNORED, Output, type OutputRows } from './output.js';

export interface OutputLayerOptions {
  /** F */
  featureSize: number;
  /** V */
  vocabulary: number;
  /** The target embedding [V, E], to be used as the weight (Press & Wolf 2017); a `projection` F → E is added where F ≠ E. */
  tied?: Parameter;
  seed: number;
}

/** P = softmax(f Wᵀ + b). Parameters `weight` [V, F or E], `bias` [V], and `projection.weight` where a tied embedding needs one. */
export class OutputLayer extends Output {
  readonly weight: Parameter;
  readonly bias: Parameter;
  private readonly projection: Linear | null;

  constructor({ featureSize, vocabulary, tied, seed }: OutputLayerOptions) {
    super();
    const size = tied ? tied.shape[1]! : featureSize;
    const bound = 1 / Math.sqrt(size);
    this.weight = this.own('weight', tied ?? uniformParameter([vocabulary, size], bound, deriveSeed(seed, 'weight')));
    this.bias = this.own('bias', constantParameter([vocabulary], 0));
    const projection = { inputSize: featureSize, outputSize: size, bias: false, seed: deriveSeed(seed, 'projection') };
    this.projection = size === featureSize ? null : this.child('projection', new Linear(projection));
  }

  loss({ features }: OutputRows, targets: Tensor1D, options: { labelSmoothing: number; divisor: number }): Scalar {
    const all = { ...options, ignoreId: IGNORED };
    return linearCrossEntropy(this.project(features), ...this.parts(), targets, all);
  }

  score({ features }: OutputRows, targets: Tensor1D): TargetScores {
    return scoreTargets(this.project(features), ...this.parts(), targets, { ignoreId: IGNORED });
  }

  logProbabilities({ features }: OutputRows, weights?: StepWeights): Tensor {
    return weights ? weights.logProbabilities(this.project(features), this) : logSoftmax(this.logits(features));
  }

  /** Scores [..., V] from features [..., F]: what softmax turns into probabilities. */
  logits(features: Tensor): Tensor {
    return linear(this.project(features), ...this.parts());
  }

  private parts(): [Tensor2D, Tensor1D] {
    return [this.weight as unknown as Tensor2D, this.bias as unknown as Tensor1D];
  }

  private project(features: Tensor): Tensor {
    return this.projection ? this.projection.forward(features) : features;
  }
}
