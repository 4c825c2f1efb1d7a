// The course notes' decoder with dot attention: state and context side by side go straight into the output layer.
import type { DropoutKey } from '@seqloom/tensor-ops';
import type { Tensor2D, Tensor3D } from '@tensorflow/tfjs-core';
import type { Decoded, DecoderState } from './decoder.js';
import { decoderAttention } from './decoder-attention.js';
import {
  type Advanced,
  RecurrentDecoder,
  type RecurrentDecoderOptions,
  type RecurrentMemory,
  type StepMode,
} from './recurrent-decoder.js';

/** s_t = RNN(e_{t-1}, s_{t-1}), c_t = attention(s_t, h), features [s_t; c_t]. */
export class ConcatDecoder extends RecurrentDecoder {
  readonly featureSize: number;

  constructor(options: RecurrentDecoderOptions) {
    const { decoder } = options.config;
    const attention = decoderAttention(options.config, decoder.hiddenSize, options.seed);
    super(options, { inputSize: decoder.embeddingSize, attention });
    this.featureSize = decoder.hiddenSize + attention.contextSize;
  }

  override forward(tokens: Tensor2D, memory: RecurrentMemory, state: DecoderState, dropout?: DropoutKey): Decoded {
    if (this.config.coverage) return super.forward(tokens, memory, state, dropout);
    const output = this.recur(this.embedSequence(tokens, dropout), state, dropout); // [B, T, H]
    const options = { mask: memory.mask, withQuery: 'before' } as const;
    const { context, weights } = this.attention!.attend(output, memory.attention!, options);
    const features = this.readout(context, { dropout }); // [B, T, H + C]
    return { features: features as Tensor3D, weights: weights as Tensor3D };
  }

  protected advance(embedded: Tensor2D, memory: RecurrentMemory, state: DecoderState, mode: StepMode): Advanced {
    const { output, next } = this.recurStep(embedded, state, mode);
    const { context, weights, covered } = this.attendStep(output, memory, state, 'before');
    return { raw: [context], weights, state: { ...next, ...covered } };
  }
}
