// What an encoder's and a decoder's layer share: sublayers with a way around them, the last one a feed-forward network.
import { MultiHeadAttention } from '@seqloom/attention';
import { Dropout, type DropoutKey, deriveSeed, LayerNorm, Linear, Module } from '@seqloom/tensor-ops';
import { add, type Tensor } from '@tensorflow/tfjs-core';
import type { TransformerConfig } from '../config/transformer-config.js';
import type { StepWeights } from '../step-weights.js';
import { activate } from './activation.js';

/** One sublayer's parts beside its function. */
interface Around {
  readonly norm: LayerNorm;
  readonly dropout: Dropout;
}

/**
 * Sublayers f, each as x + f(norm(x)) where norms come before (Xiong et al. 2020), or as norm(x + f(x)) where they come
 * after (Vaswani et al. 2017, section 5.4); dropout on what f gives. Parameters as PyTorch's nn.TransformerEncoderLayer and
 * nn.TransformerDecoderLayer: `self_attn.…`, `linear1.…`, `linear2.…`, `norm1.…`, ….
 */
export abstract class TransformerLayer extends Module {
  private readonly linear1: Linear;
  private readonly linear2: Linear;
  private readonly innerDropout: Dropout;
  private readonly around: Around[] = [];

  constructor(
    protected readonly config: TransformerConfig,
    protected readonly seed: number,
    sublayers: number,
  ) {
    super();
    const { size, feedForwardSize, dropout } = config;
    const linear = (name: string, inputSize: number, outputSize: number): Linear =>
      this.child(name, new Linear({ inputSize, outputSize, seed: deriveSeed(seed, name) }));
    this.linear1 = linear('linear1', size, feedForwardSize);
    this.linear2 = linear('linear2', feedForwardSize, size);
    this.innerDropout = new Dropout({ rate: dropout, seed: deriveSeed(seed, 'dropout') });
    for (let i = 1; i <= sublayers; i++) {
      this.around.push({
        norm: this.child(`norm${i}`, new LayerNorm({ size })),
        dropout: new Dropout({ rate: dropout, seed: deriveSeed(seed, `dropout${i}`) }),
      });
    }
  }

  /** Sublayer number `at`: f with its norm, dropout and way around. */
  protected sublayer(at: number, x: Tensor, f: (x: Tensor) => Tensor, key: DropoutKey | undefined): Tensor {
    const { norm, dropout } = this.around[at]!;
    const before = this.config.norm === 'pre';
    const sum = add(x, dropout.within(f(before ? norm.forward(x) : x), key));
    return before ? sum : norm.forward(sum);
  }

  /** W₂ activation(W₁ x + b₁) + b₂ (Vaswani et al. 2017, eq. 2). */
  protected feedForward(x: Tensor, key: DropoutKey | undefined, weights?: StepWeights): Tensor {
    const linear = (layer: Linear, y: Tensor): Tensor => (weights ? weights.linear(y, layer) : layer.forward(y));
    const inner = activate(linear(this.linear1, x), this.config.activation);
    return linear(this.linear2, this.innerDropout.within(inner, key));
  }

  protected attention(name: string): MultiHeadAttention {
    const { size, numHeads, attentionDropout } = this.config;
    const options = { size, numHeads, dropout: attentionDropout, seed: deriveSeed(this.seed, name) };
    return this.child(name, new MultiHeadAttention(options));
  }
}
