// The course notes' Q/K/V decoder: the token before is the query, so every context is known before the recurrent steps.
import { type DropoutKey, deriveSeed, Linear } from '@seqloom/tensor-ops';
import type { Tensor, Tensor2D, Tensor3D } from '@tensorflow/tfjs-core';
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
 * Q_t = e_{t-1}, C_t = softmax(Q_t Kᵀ / √d) V over the encoder's outputs, s_t = RNN(attn_combine([Q_t; C_t]), s_{t-1}), features s_t.
 * With `contextInput: 'alone'` the recurrent layers read C_t only, as the notes' formula Y_t = Decoder(C_t, S_{t-1}) says.
 */
export class QkvDecoder extends RecurrentDecoder {
  readonly featureSize: number;
  private readonly combine: Linear | null;

  constructor(options: RecurrentDecoderOptions) {
    const { decoder } = options.config;
    const attention = decoderAttention(options.config, decoder.embeddingSize, options.seed);
    const alone = decoder.contextInput === 'alone';
    super(options, { inputSize: alone ? attention.contextSize : decoder.hiddenSize, attention });
    this.featureSize = decoder.hiddenSize;
    this.combine = alone
      ? null
      : this.child(
          'attn_combine',
          new Linear({
            inputSize: decoder.embeddingSize + attention.contextSize,
            outputSize: decoder.hiddenSize,
            seed: deriveSeed(options.seed, 'attn_combine'),
          }),
        );
  }

  override forward(tokens: Tensor2D, memory: RecurrentMemory, state: DecoderState, dropout?: DropoutKey): Decoded {
    if (this.config.coverage) return super.forward(tokens, memory, state, dropout);
    const query = this.embed(tokens, dropout) as Tensor3D; // [B, T, E]
    const { mask } = memory;
    const { context, weights } = this.attention!.attend(query, memory.attention!, { mask, withQuery: this.withQuery });
    const output = this.recur(this.combined(context, { dropout }) as Tensor3D, state, dropout); // [B, T, H]
    return { features: this.readout(output, { dropout }) as Tensor3D, weights: weights as Tensor3D };
  }

  protected advance(query: Tensor2D, memory: RecurrentMemory, state: DecoderState, mode: StepMode): Advanced {
    const { context, weights, covered } = this.attendStep(query, memory, state, this.withQuery);
    const { output, next } = this.recurStep(this.combined(context, mode) as Tensor2D, state, mode);
    return { raw: [output], weights, state: { ...next, ...covered } };
  }

  private get withQuery() {
    return this.combine ? 'before' : undefined;
  }

  /** [Q; C] → attn_combine([Q; C]); C alone stays. */
  private combined(attended: Tensor, mode: StepMode): Tensor {
    return this.combine ? this.apply(this.combine, attended, mode) : attended;
  }
}
