// From a decoder's features to scores over the target vocabulary.
import {
  constantParameter,
  crossEntropy,
  deriveSeed,
  Linear,
  linear,
  Module,
  type Parameter,
  uniformParameter,
} from '@seqloom/tensor-ops';
import type { Scalar, Tensor, Tensor1D, Tensor2D } from '@tensorflow/tfjs-core';

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
    return linear(this.project(features), this.weight as unknown as Tensor2D, this.bias as unknown as Tensor1D);
  }

  /** Sum over rows of the cross-entropy of features [N, F] against targets int32 [N]. */
  loss(features: Tensor2D, targets: Tensor1D, { labelSmoothing = 0 }: TokenLossOptions = {}): Scalar {
    return crossEntropy(this.logits(features) as Tensor2D, targets, { labelSmoothing, reduction: 'sum' });
  }

  private project(features: Tensor): Tensor {
    return this.projection ? this.projection.forward(features) : features;
  }
}
