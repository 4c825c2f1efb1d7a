// Reads the source: token vectors through a recurrent network, one or both ways.
import { lengthMask } from '@seqloom/attention';
import type { Recurrent, RecurrentState } from '@seqloom/rnn';
import { Dropout, type DropoutKey, deriveSeed, Embedding, Module } from '@seqloom/tensor-ops';
import { type Tensor, type Tensor2D, type Tensor3D, tensor2d } from '@tensorflow/tfjs-core';
import type { Sources } from './batch.js';
import { type EncoderConfig, encoderOutputSize } from './config/model-config.js';
import { recurrentNetwork } from './recurrent-network.js';
import type { StepWeights } from './step-weights.js';
import { tokenSequence } from './token-sequence.js';

/** What a decoder may look at. */
export interface Encoded {
  /** [B, S, M]; what stands after a row's end counts for nothing (zero where the encoder is recurrent). */
  readonly output: Tensor3D;
  /** [B, S], true on real tokens. */
  readonly mask: Tensor2D;
  /** Last states, for decoders that start from one. */
  readonly state: RecurrentState | null;
  readonly lengths: Int32Array;
  /** Source ids int32 [B, S]. */
  readonly ids: Tensor2D;
}

/** Turns source rows into what a decoder may look at. */
export abstract class SourceEncoder extends Module {
  /** M, the width of the outputs. */
  abstract readonly outputSize: number;

  /**
   * @param dropout given in training only
   * @param weights laid out for search; the parameters themselves where left out
   */
  abstract forward(sources: Sources, dropout?: DropoutKey, weights?: StepWeights): Encoded;
}

export interface EncoderOptions extends EncoderConfig {
  vocabulary: number;
  padId: number;
  seed: number;
}

/**
 * h₁ … h_S = RNN(embedding(x₁ … x_S)), forwards or both ways (the course notes' encoder; Bahdanau et al. 2015, §3.2).
 * Parameters `embedding.weight`, `rnn.weight_ih_l0`, ….
 */
export class Encoder extends SourceEncoder {
  readonly outputSize: number;
  readonly embedding: Embedding;
  readonly rnn: Recurrent;
  private readonly embeddingDropout: Dropout;
  private readonly outputDropout: Dropout;

  constructor({ vocabulary, padId, seed, ...config }: EncoderOptions) {
    super();
    this.outputSize = encoderOutputSize(config);
    this.embedding = this.child(
      'embedding',
      new Embedding({
        numEmbeddings: vocabulary,
        embeddingSize: config.embeddingSize,
        paddingId: padId,
        seed: deriveSeed(seed, 'embedding'),
      }),
    );
    this.rnn = this.child(
      'rnn',
      recurrentNetwork({ ...config, inputSize: config.embeddingSize, seed: deriveSeed(seed, 'rnn') }),
    );
    this.embeddingDropout = new Dropout({
      rate: config.embeddingDropout,
      seed: deriveSeed(seed, 'embedding dropout'),
    });
    this.outputDropout = new Dropout({ rate: config.outputDropout, seed: deriveSeed(seed, 'output dropout') });
  }

  forward({ rows, ids, width, lengths }: Sources, dropout?: DropoutKey, weights?: StepWeights): Encoded {
    const tokens = tensor2d(ids, [rows, width], 'int32');
    const vectors = tokenSequence(tokens, this.embedding, this.embeddingDropout, dropout); // [B, S, E]
    const prepared = weights?.prepared(this.rnn);
    const { output, state } = this.rnn.forward(vectors, { lengths, dropout, prepared }); // [B, S, M]
    return {
      output: this.outputDropout.within(output, dropout) as Tensor3D,
      mask: lengthMask(lengths, width) as Tensor as Tensor2D,
      state,
      lengths,
      ids: tokens,
    };
  }
}
