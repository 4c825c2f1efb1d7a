import type { AttentionMemory, MultiHeadAttention } from '@seqloom/attention';
import type { DropoutKey } from '@seqloom/tensor-ops';
import { concat, reshape, type Tensor } from '@tensorflow/tfjs-core';
import type { TransformerConfig } from '../config/transformer-config.js';
import type { StepWeights } from '../step-weights.js';
import { TransformerLayer } from './layer.js';

/** What a layer reads beside its input. */
export interface LayerContext {
  /** The source, projected by this layer. */
  readonly memory: AttentionMemory;
  /** [B, S], true on real source tokens. */
  readonly sourceMask: Tensor;
  /** Keys and values [R, t, H] of the target tokens before x, where there are some. */
  readonly past: AttentionMemory | undefined;
  /** [1, T, T] for several tokens at once: none sees a later one. */
  readonly targetMask?: Tensor;
  readonly dropout?: DropoutKey | undefined;
  /** Laid out for many steps, in search. */
  readonly weights?: StepWeights | undefined;
}

/** What a layer gives. */
export interface LayerOutput {
  /** As x. */
  readonly output: Tensor;
  /** Keys and values of the target tokens up to and with x. */
  readonly past: AttentionMemory;
  /** Weights of the source, the mean of the heads', where they were asked for. */
  readonly weights: Tensor | null;
}

/** Self-attention on the target, attention on the source, then the feed-forward network: PyTorch's nn.TransformerDecoderLayer. */
export class TransformerDecoderLayer extends TransformerLayer {
  private readonly selfAttention: MultiHeadAttention;
  private readonly crossAttention: MultiHeadAttention;

  constructor(config: TransformerConfig, seed: number) {
    super(config, seed, 3);
    this.selfAttention = this.attention('self_attn');
    this.crossAttention = this.attention('multihead_attn');
  }

  /** The encoder's outputs [B, S, H], ready for this layer. */
  project(source: Tensor): AttentionMemory {
    return this.crossAttention.project(source);
  }

  /** x [R, T, H]: whole targets, or one token a row after those in `past`; rows of one source lie together. */
  forward(x: Tensor, context: LayerContext, wantsWeights: boolean): LayerOutput {
    const { memory, sourceMask, targetMask, dropout, weights: stepWeights } = context;
    let past: AttentionMemory | undefined;
    let weights: Tensor | null = null;
    const selfAttend = (y: Tensor): Tensor => {
      past = joined(context.past, this.selfAttention.project(y));
      return this.selfAttention.attendHeads(y, past, { mask: targetMask, dropout }).context;
    };
    const attend = (y: Tensor): Tensor => {
      const query = reshape(y, [sourceMask.shape[0]!, -1, this.config.size]); // the k rows of a source are k queries
      const options = { mask: sourceMask, dropout };
      if (!wantsWeights) return reshape(this.crossAttention.attendHeads(query, memory, options).context, y.shape);
      const attended = this.crossAttention.attend(query, memory, options);
      weights = attended.weights;
      return reshape(attended.context, y.shape);
    };
    const own = this.sublayer(0, x, selfAttend, dropout);
    const crossed = this.sublayer(1, own, attend, dropout);
    const output = this.sublayer(2, crossed, (y) => this.feedForward(y, dropout, stepWeights), dropout);
    return { output, past: past!, weights };
  }
}

function joined(past: AttentionMemory | undefined, now: AttentionMemory): AttentionMemory {
  if (!past) return now;
  return { keys: concat([past.keys, now.keys], 1), values: concat([past.values, now.values], 1) };
}
