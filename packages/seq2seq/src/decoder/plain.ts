// The course notes' first decoder: nothing of the source but the state it begins with.
import type { DropoutKey } from '@seqloom/tensor-ops';
import { concat, reshape, type Tensor, type Tensor2D, type Tensor3D, tile } from '@tensorflow/tfjs-core';
import { encoderOutputSize } from '../config/model-config.js';
import type { Decoded, DecoderState } from './decoder.js';
import {
  type Advanced,
  RecurrentDecoder,
  type RecurrentDecoderOptions,
  type RecurrentMemory,
  type StepMode,
} from './recurrent-decoder.js';

/**
 * s_t = RNN(e_{t-1}, s_{t-1}), features s_t (Sutskever et al. 2014); with `repeatContext` s_t = RNN([e_{t-1}; h], s_{t-1}) of the
 * encoder's last state h (Cho et al. 2014).
 */
export class PlainDecoder extends RecurrentDecoder {
  readonly featureSize: number;

  constructor(options: RecurrentDecoderOptions) {
    const { encoder, decoder } = options.config;
    const context = decoder.repeatContext ? encoderOutputSize(encoder) : 0;
    super(options, { inputSize: decoder.embeddingSize + context, attention: null });
    this.featureSize = decoder.hiddenSize;
  }

  override forward(tokens: Tensor2D, memory: RecurrentMemory, state: DecoderState, dropout?: DropoutKey): Decoded {
    const input = memory.summary
      ? (this.withSummary(this.embed(tokens, dropout), memory, tokens.shape) as Tensor3D) // [B, T, E + M]
      : this.embedSequence(tokens, dropout); // [B, T, E]
    const output = this.recur(input, state, dropout);
    return { features: this.readout(output, { dropout }) as Tensor3D, weights: null };
  }

  protected advance(embedded: Tensor2D, memory: RecurrentMemory, state: DecoderState, mode: StepMode): Advanced {
    const [sources] = memory.mask.shape;
    const perSource = [sources, embedded.shape[0] / sources];
    const { output, next } = this.recurStep(this.withSummary(embedded, memory, perSource) as Tensor2D, state, mode);
    return { raw: [output], weights: null, state: next };
  }

  /** x with its source's summary beside it; each of the B sources has k places in x. */
  private withSummary(x: Tensor, { summary }: RecurrentMemory, [rows, k]: number[]): Tensor {
    if (!summary) return x;
    const repeated = tile(reshape(summary, [rows!, 1, this.memorySize]), [1, k!, 1]); // [B, k, M]
    return concat([x, reshape(repeated, [...x.shape.slice(0, -1), this.memorySize])], -1);
  }
}
