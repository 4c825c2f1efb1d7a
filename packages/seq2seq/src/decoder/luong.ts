// Luong's decoder: attention after the recurrent step, and an attentional state before the output layer.
import { type DropoutKey, deriveSeed, Linear } from '@seqloom/tensor-ops';
import { concat, type Tensor, type Tensor2D, type Tensor3D, tanh, zeros } from '@tensorflow/tfjs-core';
import type { Decoded, DecoderState } from './decoder.js';
import { decoderAttention } from './decoder-attention.js';
import {
  type Advanced,
  RecurrentDecoder,
  type RecurrentDecoderOptions,
  type RecurrentMemory,
  type StepMode,
} from './recurrent-decoder.js';

/**
 * s_t = RNN(e_{t-1}, s_{t-1}), c_t = attention(s_t, h), features s̃_t = tanh(Wc [c_t; s_t] + b) (Luong et al. 2015, eq. 5, there
 * without b; the course notes have it). With input feeding (§3.3) the recurrent layers read [e_{t-1}; s̃_{t-1}].
 */
export class LuongDecoder extends RecurrentDecoder {
  readonly featureSize: number;
  private readonly combine: Linear;

  constructor(options: RecurrentDecoderOptions) {
    const { decoder } = options.config;
    const attention = decoderAttention(options.config, decoder.hiddenSize, options.seed);
    const inputSize = decoder.embeddingSize + (decoder.inputFeeding ? decoder.hiddenSize : 0);
    super(options, { inputSize, attention });
    this.featureSize = decoder.hiddenSize;
    this.combine = this.child(
      'combine',
      new Linear({
        inputSize: attention.contextSize + decoder.hiddenSize,
        outputSize: decoder.hiddenSize,
        bias: decoder.attentionBias,
        seed: deriveSeed(options.seed, 'combine'),
      }),
    );
  }

  override forward(tokens: Tensor2D, memory: RecurrentMemory, state: DecoderState, dropout?: DropoutKey): Decoded {
    if (this.config.inputFeeding || this.config.coverage) return super.forward(tokens, memory, state, dropout);
    const output = this.recur(this.embedSequence(tokens, dropout), state, dropout); // [B, T, H]
    const options = { mask: memory.mask, withQuery: 'after' } as const;
    const { context, weights } = this.attention!.attend(output, memory.attention!, options);
    const features = this.readout(this.attentional(context, { dropout }), { dropout }); // [B, T, H]
    return { features: features as Tensor3D, weights: weights as Tensor3D };
  }

  protected advance(embedded: Tensor2D, memory: RecurrentMemory, state: DecoderState, mode: StepMode): Advanced {
    const { inputFeeding } = this.config;
    const input = inputFeeding ? (concat([embedded, state.fed!], 1) as Tensor2D) : embedded;
    const { output, next } = this.recurStep(input, state, mode);
    const { context, weights, covered } = this.attendStep(output, memory, state, 'after');
    const fed = this.attentional(context, mode) as Tensor2D; // [R, H]
    return { raw: [fed], weights, state: { ...next, ...covered, ...(inputFeeding && { fed }) } };
  }

  protected override extraState(rows: number): DecoderState {
    return this.config.inputFeeding ? { fed: zeros([rows, this.config.hiddenSize]) } : {};
  }

  /** [c; s] → tanh(Wc [c; s] + b). */
  private attentional(attended: Tensor, mode: StepMode): Tensor {
    return tanh(this.apply(this.combine, attended, mode));
  }
}
