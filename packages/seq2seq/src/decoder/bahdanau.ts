// Bahdanau's decoder: attention before the recurrent step, asked by the state before, and the context enters the cell.
import { deriveSeed, Linear } from '@seqloom/tensor-ops';
import { concat, max, reshape, type Tensor, type Tensor2D, type Tensor3D, tanh } from '@tensorflow/tfjs-core';
import { lastLayer } from '../bridge.js';
import type { DecoderState } from './decoder.js';
import { decoderAttention } from './decoder-attention.js';
import {
  type Advanced,
  RecurrentDecoder,
  type RecurrentDecoderOptions,
  type RecurrentMemory,
  type StepMode,
} from './recurrent-decoder.js';

/**
 * c_t = attention(s_{t-1}, h), s_t = RNN([e_{t-1}; c_t], s_{t-1}), features readout([s_t; c_t; e_{t-1}])
 * (Bahdanau et al. 2015, A.1.2 and A.2.2). The readout is
 * - `maxout`: pairs of W [s; c; e] + b, the larger of each (the paper's deep output);
 * - `tanh`: tanh(W [s; c; e] + b);
 * - `none`: [s; c; e] itself.
 */
export class BahdanauDecoder extends RecurrentDecoder {
  readonly featureSize: number;
  private readonly readoutLayer: Linear | null;

  constructor(options: RecurrentDecoderOptions) {
    const { decoder } = options.config;
    const attention = decoderAttention(options.config, decoder.hiddenSize, options.seed);
    super(options, { inputSize: decoder.embeddingSize + attention.contextSize, attention });
    const rawSize = decoder.hiddenSize + attention.contextSize + decoder.embeddingSize;
    const pieces = decoder.readout === 'maxout' ? 2 : 1;
    this.featureSize = decoder.readout === 'none' ? rawSize : decoder.readoutSize;
    this.readoutLayer =
      decoder.readout === 'none'
        ? null
        : this.child(
            'readout',
            new Linear({
              inputSize: rawSize,
              outputSize: pieces * decoder.readoutSize,
              seed: deriveSeed(options.seed, 'readout'),
            }),
          );
  }

  protected advance(embedded: Tensor2D, memory: RecurrentMemory, state: DecoderState, mode: StepMode): Advanced {
    const query = lastLayer(state.hidden as Tensor3D, 1); // [R, H]
    const { context, weights, covered } = this.attendStep(query, memory, state);
    const { output, next } = this.recurStep(concat([embedded, context], 1), state, mode);
    return { raw: [output, context, embedded], weights, state: { ...next, ...covered } };
  }

  protected override readout(raw: Tensor, mode: StepMode): Tensor {
    return super.readout(this.shaped(raw, mode), mode);
  }

  private shaped(raw: Tensor, mode: StepMode): Tensor {
    if (!this.readoutLayer) return raw;
    const inner = this.apply(this.readoutLayer, raw, mode);
    if (this.config.readout === 'tanh') return tanh(inner);
    return max(reshape(inner, [...raw.shape.slice(0, -1), this.featureSize, 2]), -1);
  }
}
