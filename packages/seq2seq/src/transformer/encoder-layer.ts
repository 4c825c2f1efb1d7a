import type { MultiHeadAttention } from '@seqloom/attention';
import type { DropoutKey } from '@seqloom/tensor-ops';
import type { Tensor } from '@tensorflow/tfjs-core';
import type { TransformerConfig } from '../config/transformer-config.js';
import { TransformerLayer } from './layer.js';

/** Self-attention, then the feed-forward network: PyTorch's nn.TransformerEncoderLayer. */
export class TransformerEncoderLayer extends TransformerLayer {
  private readonly selfAttention: MultiHeadAttention;

  constructor(config: TransformerConfig, seed: number) {
    super(config, seed, 2);
    this.selfAttention = this.attention('self_attn');
  }

  /** x [B, S, H] → [B, S, H]; `mask` [B, S] true on real tokens. */
  forward(x: Tensor, mask: Tensor, dropout?: DropoutKey): Tensor {
    const attended = this.sublayer(
      0,
      x,
      (y) => this.selfAttention.attendHeads(y, this.selfAttention.project(y), { mask, dropout }).context,
      dropout,
    );
    return this.sublayer(1, attended, (y) => this.feedForward(y, dropout), dropout);
  }
}
