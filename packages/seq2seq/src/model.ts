// The model: an encoder, a decoder and an output layer, under PyTorch-like names.
import {
  type DropoutKey,
  deriveSeed,
  Module,
  type Parameter,
  type Precision,
  type StateDict,
} from '@seqloom/tensor-ops';
import {
  add,
  mul,
  reshape,
  type Scalar,
  type Tensor1D,
  type Tensor2D,
  type Tensor3D,
  tensor1d,
  tensor2d,
  tidy,
} from '@tensorflow/tfjs-core';
import {
  type Batch,
  checkBatch,
  checkSide,
  type Sources,
  sourcesOf,
  type Targets,
  targetsOf,
  targetTokens,
} from './batch.js';
import { type ModelConfig, type ModelConfigInput, resolveModelConfig } from './config/model-config.js';
import { coverageLoss } from './coverage-loss.js';
import type { Decoded, Decoder, DecoderMemory, DecoderState } from './decoder/decoder.js';
import type { SourceEncoder } from './encoder.js';
import { createEncoderDecoder } from './encoder-decoder.js';
import { kept } from './kept.js';
import { CopyOutput } from './output/copy-output.js';
import { flatRows, IGNORED, type Output, type OutputRows } from './output/output.js';
import { OutputLayer } from './output/output-layer.js';
import { StepWeights } from './step-weights.js';

export interface LossOptions {
  /** Share of each target's probability spread evenly over the vocabulary; default 0. */
  labelSmoothing?: number;
  /** λ of the coverage loss, added to that of the tokens; default 0. */
  coverage?: number;
  /** Given in training: decides what is dropped. */
  dropout?: DropoutKey;
  /** `token` (default): mean over real target tokens; `sentence`: their sum over the number of rows; `sum`: their sum. */
  reduction?: 'token' | 'sentence' | 'sum';
  /** What the sum is divided by in place of a reduction: for a batch that comes in parts. */
  divisor?: number;
  /** What the decoder reads instead of the true tokens, [B, T] as `sampledInputs` gives it (scheduled sampling). */
  inputs?: Int32Array;
}

/**
 * A sequence-to-sequence model: token ids in, scores over target tokens out.
 *
 * @example
 * const model = Seq2Seq.create({ decoder: { attention: 'additive' }, sourceVocabulary: 8000, targetVocabulary: 8000 });
 */
export class Seq2Seq extends Module {
  readonly config: ModelConfig;
  readonly encoder: SourceEncoder;
  readonly decoder: Decoder;
  readonly output: Output;
  private laidOut: StepWeights | null = null;

  private constructor(config: ModelConfig) {
    super();
    this.config = config;
    const { encoder, decoder } = createEncoderDecoder(config);
    this.encoder = this.child('encoder', encoder);
    this.decoder = this.child('decoder', decoder);
    const { copy, tieEmbeddings } = config.kind === 'transformer' ? config.transformer : config.decoder;
    const outputOptions = {
      featureSize: decoder.featureSize,
      vocabulary: config.targetVocabulary,
      ...(tieEmbeddings && { tied: decoder.embeddingWeight }),
      seed: deriveSeed(config.seed, 'output'),
    };
    this.output = this.child(
      'output',
      copy ? new CopyOutput({ ...outputOptions, copyMap: config.copyMap }) : new OutputLayer(outputOptions),
    );
  }

  /**
   * Lays the weights out once for all translations to come, instead of once a translation. Training, `loadStateDict` and `dispose`
   * take that back.
   *
   * @param precision `int8` rounds the output layer, most of the work of a large vocabulary, to 8 bits: 1.6 to 3 times as fast. The
   *   likely tokens' scores are computed in floats all the same
   */
  layOut(precision: Precision = 'float32'): void {
    this.takeBackLayout();
    this.laidOut = new StepWeights(precision);
  }

  /** Frees what `layOut` made: weights are about to change. */
  takeBackLayout(): void {
    this.laidOut?.dispose();
    this.laidOut = null;
  }

  /** Whether the output may copy from the source: what it copies may be a word that its target vocabulary does not hold. */
  get copies(): boolean {
    return this.output instanceof CopyOutput;
  }

  /** The weights as `layOut` laid them out, or null. */
  get stepWeights(): StepWeights | null {
    return this.laidOut;
  }

  override loadStateDict(dict: StateDict): void {
    super.loadStateDict(dict);
    this.takeBackLayout();
  }

  override dispose(): void {
    this.takeBackLayout();
    super.dispose();
  }

  /**
   * A model with its first weights, drawn from `config.seed`.
   *
   * @throws ConfigError naming the key, the rule and what came
   */
  static create(config: ModelConfigInput): Seq2Seq {
    return new Seq2Seq(resolveModelConfig(config));
  }

  /** Every parameter once, by its first name: a tied one does not appear again under its other names. */
  uniqueParameters(): Map<string, Parameter> {
    const seen = new Set<Parameter>();
    const unique = new Map<string, Parameter>();
    for (const [name, parameter] of this.namedParameters()) {
      if (!seen.has(parameter)) unique.set(name, parameter);
      seen.add(parameter);
    }
    return unique;
  }

  /**
   * Memory and first decoder state for source rows.
   *
   * @param dropout given in training only
   * @param weights laid out for search; the parameters themselves where left out
   * @throws Error when an id or a length does not fit
   */
  encode(
    sources: Sources,
    dropout?: DropoutKey,
    weights?: StepWeights,
  ): { memory: DecoderMemory; state: DecoderState } {
    const { rows, ids, width, lengths } = sources;
    checkSide('source', rows, ids, width, lengths, this.config.sourceVocabulary);
    return this.decoder.start(this.encoder.forward(sources, dropout, weights));
  }

  /**
   * Cross-entropy of the true next tokens under teacher forcing. Padding counts for nothing; only real positions reach the
   * output layer.
   *
   * @returns a scalar; zero for a batch without target tokens
   * @throws Error when the batch does not fit the model
   */
  loss(batch: Batch, options: LossOptions = {}): Scalar {
    const { labelSmoothing = 0, coverage = 0, dropout, inputs } = options;
    const divisor = options.divisor ?? lossDivisor(batch, options.reduction);
    return tidy(() => {
      const targets = targetsOf(batch, this.config.padId);
      const read = this.decode(batch, targets, inputs, dropout);
      const loss = this.output.loss(rowsOf(read), realTargets(targets), { labelSmoothing, divisor });
      if (coverage === 0) return loss;
      return add(loss, mul(coverageLoss(this.needWeights(read.decoded), targets), coverage / divisor)) as Scalar;
    });
  }

  /** Cross-entropy summed over the real target tokens, how many there are, and how many of them were the most probable. */
  evaluate(batch: Batch): { loss: number; tokens: number; correct: number } {
    return kept(() => {
      const targets = targetsOf(batch, this.config.padId);
      const { loss, correct, rows } = this.output.score(rowsOf(this.decode(batch, targets)), realTargets(targets));
      return { loss, tokens: rows, correct };
    });
  }

  /** log P [B, T, V] of every next token under teacher forcing; T is the longest target less one. */
  logProbabilities(batch: Batch): Tensor3D {
    return tidy(() => {
      const { width } = targetsOf(batch, this.config.padId);
      const rows = rowsOf(this.decode(batch, targetsOf(batch, this.config.padId)));
      return reshape(this.output.logProbabilities(rows), [batch.rows, width, this.config.targetVocabulary]);
    });
  }

  /** Attention [B, T, S] of every target position under teacher forcing; null without attention. */
  attention(batch: Batch): Tensor3D | null {
    return kept(() => this.decode(batch, targetsOf(batch, this.config.padId)).decoded.weights);
  }

  private decode(batch: Batch, targets: Targets, inputs?: Int32Array, dropout?: DropoutKey): DecodedBatch {
    const { padId, sourceVocabulary, targetVocabulary } = this.config;
    checkBatch(batch, sourceVocabulary, targetVocabulary);
    const { memory, state } = this.encode(sourcesOf(batch, padId), dropout);
    const tokens = tensor2d(inputs ?? targets.inputs, [batch.rows, targets.width], 'int32');
    return { decoded: this.decoder.forward(tokens, memory, state, dropout), source: memory.source };
  }

  private needWeights({ weights }: Decoded): Tensor3D {
    if (!weights) throw new Error('loss: coverage needs attention; got decoder.kind plain');
    return weights;
  }
}

function lossDivisor(batch: Batch, reduction: LossOptions['reduction'] = 'token'): number {
  if (reduction === 'sum') return 1;
  return Math.max(1, reduction === 'sentence' ? batch.rows : targetTokens(batch));
}

/** All target positions of a batch, and its source ids [B, S]. */
interface DecodedBatch {
  readonly decoded: Decoded;
  readonly source: Tensor2D;
}

/** Positions one after the other. */
function rowsOf({ decoded, source }: DecodedBatch): OutputRows {
  return {
    features: decoded.features,
    get weights() {
      const { weights } = decoded;
      return weights && flatRows(weights); // only for those who ask: every op on the tape costs
    },
    source,
  };
}

/** The tokens to predict, [B·T]; `IGNORED` on padding. */
function realTargets({ outputs, lengths, width }: Targets): Tensor1D {
  return tensor1d(
    outputs.map((id, at) => (at % width < lengths[Math.floor(at / width)]! ? id : IGNORED)),
    'int32',
  );
}
