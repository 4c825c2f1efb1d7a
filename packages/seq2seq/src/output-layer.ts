// From a decoder's features to scores over the target vocabulary.
import {
  constantParameter,
  deriveSeed,
  Linear,
  linear,
  linearCrossEntropy,
  Module,
  type Parameter,
  scoreTargets,
  type TargetScores,
  uniformParameter,
} from '@seqloom/tensor-ops';
import type { Scalar, Tensor, Tensor1D, Tensor2D } from '@tensorflow/tfjs-core';

/** The target of a row that is padding. */
export const IGNORED = -1;

export interface OutputLayerOptions {
  /** F */
  featureSize: number;
  /** V */
  vocabulary: number;
  /** The target embedding [V, E], to be used as the weight (Press & Wolf 2017); a `projection` F → E is added where F ≠ E. */
  tied?: Parameter;
  seed: number;
}

export interface TokenLossOptions {
  labelSmoothing?: number;
}

/** logits = f Wᵀ + b. Parameters `weight` [V, F or E], `bias` [V], and `projection.weight` where a tied embedding needs one. */
export class OutputLayer extends Module {
  readonly weight: Parameter;
  readonly bias: Parameter;
  private readonly projection: Linear | null;

  constructor({ featureSize, vocabulary, tied, seed }: OutputLayerOptions) {
    super();
    const size = tied ? tied.shape[1]! : featureSize;
    const bound = 1 / Math.sqrt(size);
    this.weight = this.own('weight', tied ?? uniformParameter([vocabulary, size], bound, deriveSeed(seed, 'weight')));
    this.bias = this.own('bias', constantParameter([vocabulary], 0));
    this.projection =
      size === featureSize
        ? null
        : this.child(
            'projection',
            new Linear({
              inputSize: featureSize,
              outputSize: size,
              bias: false,
              seed: deriveSeed(seed, 'projection'),
            }),
          );
  }

  /** features [..., F] → logits [..., V]. */
  logits(features: Tensor): Tensor {
    return linear(this.project(features), ...this.parts());
  }

  /** Sum over rows of the cross-entropy of features [N, F] against targets int32 [N]; rows with `IGNORED` count for nothing. */
  loss(features: Tensor2D, targets: Tensor1D, { labelSmoothing = 0 }: TokenLossOptions = {}): Scalar {
    const options = { ignoreId: IGNORED, labelSmoothing, reduction: 'sum' as const };
    return linearCrossEntropy(this.project(features) as Tensor2D, ...this.parts(), targets, options);
  }

  /** The same sum without gradients, and how many targets had the largest score. */
  score(features: Tensor2D, targets: Tensor1D): TargetScores {
    return scoreTargets(this.project(features) as Tensor2D, ...this.parts(), targets, { ignoreId: IGNORED });
  }

  private parts(): [Tensor2D, Tensor1D] {
    return [this.weight as unknown as Tensor2D, this.bias as unknown as Tensor1D];
  }

  private project(features: Tensor): Tensor {
    return this.projection ? this.projection.forward(features) : features;
  }
}
