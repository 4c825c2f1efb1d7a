// What the recurrent decoders share: token vectors, recurrent layers, a bridge from the encoder, and the loop over time for
// those whose attention depends on the step before.
import type { Attention, AttentionMemory } from '@seqloom/attention';
import type { Recurrent, RecurrentState } from '@seqloom/rnn';
import {
  Dropout,
  type DropoutKey,
  deriveSeed,
  Embedding,
  type Linear,
  type Parameter,
  type SequenceInput,
  type WithQuery,
} from '@seqloom/tensor-ops';
import {
  add,
  cast,
  concat,
  mul,
  reshape,
  stack,
  type Tensor,
  type Tensor1D,
  type Tensor2D,
  type Tensor3D,
  tidy,
  unstack,
  zerosLike,
} from '@tensorflow/tfjs-core';
import { Bridge, lastLayer } from '../bridge.js';
import { type DecoderConfig, encoderOutputSize, type RecurrentConfig } from '../config/model-config.js';
import type { Encoded } from '../encoder.js';
import { recurrentNetwork } from '../recurrent-network.js';
import type { StepWeights } from '../step-weights.js';
import { tokenSequence } from '../token-sequence.js';
import { type Decoded, type DecodedStep, Decoder, type DecoderMemory, type DecoderState } from './decoder.js';

/** What a recurrent decoder keeps of the source. */
export interface RecurrentMemory extends DecoderMemory {
  /** Keys and values for attention, projected. */
  readonly attention: AttentionMemory | null;
  /** [B, M], where a decoder reads the encoder's last state at every step. */
  readonly summary: Tensor2D | null;
}

/** What a step gives before the readout. */
export interface Advanced {
  /** [R, G] side by side: what `readout` turns into features; all positions of a target go through it in one product. */
  readonly raw: readonly Tensor2D[];
  readonly weights: Tensor2D | null;
  readonly state: DecoderState;
}

/** One step's attention. */
interface AttendedStep {
  /** [R, C], or [R, Q + C] with the query */
  readonly context: Tensor2D;
  /** [R, S] */
  readonly weights: Tensor2D;
  /** What the next step must know. */
  readonly covered: DecoderState;
}

/** How a step is computed: with dropout in training, with weights laid out for it in search. */
export interface StepMode {
  readonly dropout?: DropoutKey | undefined;
  readonly weights?: StepWeights | undefined;
}

export interface RecurrentDecoderOptions {
  config: RecurrentConfig;
  /** The source embedding, where both sides share one. */
  sharedEmbedding?: Embedding | undefined;
  seed: number;
}

/** Sizes that only the kind of decoder knows. */
interface Parts {
  /** I, what the recurrent layers read. */
  inputSize: number;
  attention: Attention | null;
}

export abstract class RecurrentDecoder extends Decoder {
  protected readonly config: DecoderConfig;
  /** M, the width of the encoder's outputs. */
  protected readonly memorySize: number;
  protected readonly embedding: Embedding;
  protected readonly attention: Attention | null;
  protected readonly rnn: Recurrent;
  private readonly bridge: Bridge;
  private readonly directions: 1 | 2;
  private readonly embeddingDropout: Dropout;
  private readonly outputDropout: Dropout;

  constructor({ config, sharedEmbedding, seed }: RecurrentDecoderOptions, { inputSize, attention }: Parts) {
    super();
    const { encoder, decoder } = config;
    this.config = decoder;
    this.memorySize = encoderOutputSize(encoder);
    this.directions = encoder.bidirectional ? 2 : 1;
    this.embedding = this.child(
      'embedding',
      sharedEmbedding ??
        new Embedding({
          numEmbeddings: config.targetVocabulary,
          embeddingSize: decoder.embeddingSize,
          paddingId: config.padId,
          seed: deriveSeed(seed, 'embedding'),
        }),
    );
    if (decoder.tieEmbeddings) scale(this.embedding.weight, 1 / Math.sqrt(decoder.embeddingSize));
    this.attention = attention && this.child('attention', attention);
    this.rnn = this.child('rnn', recurrentNetwork({ ...decoder, inputSize, seed: deriveSeed(seed, 'rnn') }));
    this.bridge = this.child(
      'bridge',
      new Bridge({
        kind: config.bridge,
        directions: this.directions,
        encoderLayers: encoder.numLayers,
        encoderSize: this.memorySize,
        decoderLayers: decoder.numLayers,
        decoderSize: decoder.hiddenSize,
        hasCell: decoder.cell === 'lstm',
        seed: deriveSeed(seed, 'bridge'),
      }),
    );
    this.embeddingDropout = new Dropout({
      rate: decoder.embeddingDropout,
      seed: deriveSeed(seed, 'embedding dropout'),
    });
    this.outputDropout = new Dropout({ rate: decoder.outputDropout, seed: deriveSeed(seed, 'output dropout') });
  }

  get embeddingWeight(): Parameter {
    return this.embedding.weight;
  }

  start(encoded: Encoded): { memory: RecurrentMemory; state: DecoderState } {
    const memory = {
      attention: this.attention?.project(encoded.output) ?? null,
      mask: encoded.mask,
      source: encoded.ids,
      summary: this.config.repeatContext ? lastLayer(encoded.state!.hidden, this.directions) : null,
    };
    const { hidden, cell } = this.bridge.forward(encoded);
    const covered: DecoderState = this.config.coverage ? { coverage: zerosLike(cast(encoded.mask, 'float32')) } : {};
    const recurrent: DecoderState = cell ? { hidden, cell } : { hidden };
    return { memory, state: { ...recurrent, ...this.extraState(encoded.lengths.length), ...covered } };
  }

  /** The loop over time; decoders whose mathematics allows it do all positions at once instead. */
  forward(tokens: Tensor2D, memory: RecurrentMemory, state: DecoderState, dropout?: DropoutKey): Decoded {
    const embedded = steps(this.embed(tokens, dropout) as Tensor3D); // T × [B, E]
    const all: Advanced[] = [];
    let current = state;
    for (const [t, x] of embedded.entries()) {
      const key = dropout && { ...dropout, seed: deriveSeed(dropout.seed, `time ${t}`) };
      const advanced = this.advance(x, memory, current, { dropout: key });
      all.push(advanced);
      current = advanced.state;
    }
    const overTime = (of: (advanced: Advanced) => Tensor2D) => stack(all.map(of), 1) as Tensor3D;
    const [first] = all as [Advanced];
    const parts = first.raw.map((_, i) => overTime(({ raw }) => raw[i]!)); // [B, T, G] each
    return {
      features: this.readout(sideBySide(parts), { dropout }) as Tensor3D,
      get weights() {
        return first.weights && overTime(({ weights }) => weights!); // only for those who ask
      },
    };
  }

  step(tokens: Tensor1D, memory: RecurrentMemory, state: DecoderState, weights?: StepWeights): DecodedStep {
    const { raw, ...rest } = this.advance(this.embed(tokens) as Tensor2D, memory, state, { weights });
    return { features: this.readout(sideBySide(raw), { weights }) as Tensor2D, ...rest };
  }

  /** One step from a token vector [R, E]. */
  protected abstract advance(
    embedded: Tensor2D,
    memory: RecurrentMemory,
    state: DecoderState,
    mode: StepMode,
  ): Advanced;

  /** raw [..., G] → features [..., F]. */
  protected readout(raw: Tensor, { dropout }: StepMode): Tensor {
    return this.outputDropout.within(raw, dropout);
  }

  /** x Wᵀ + b of a layer of this decoder. */
  protected apply(layer: Linear, x: Tensor, { weights }: StepMode): Tensor {
    return weights ? weights.linear(x, layer) : layer.forward(x);
  }

  /** State beside the recurrent one. */
  protected extraState(_rows: number): DecoderState {
    return {};
  }

  /** Tokens int32 [...] → token vectors [..., E]. */
  protected embed(tokens: Tensor, dropout?: DropoutKey): Tensor {
    return this.embeddingDropout.within(this.embedding.forward(tokens), dropout);
  }

  /** The same for recurrent layers that read nothing but the tokens [B, T]. */
  protected embedSequence(tokens: Tensor2D, dropout?: DropoutKey): SequenceInput {
    return tokenSequence(tokens, this.embedding, this.embeddingDropout, dropout);
  }

  /** The recurrent layers over all positions: x [B, T, I] → [B, T, H]. */
  protected recur(x: SequenceInput, state: DecoderState, dropout?: DropoutKey): Tensor3D {
    return this.rnn.forward(x, { initialState: recurrentState(state), dropout }).output;
  }

  /**
   * Attention for one query a row: the k rows of a source are k queries of its memory. query [R, Q] → [R, C], [R, S]; with
   * coverage also the sum of the weights so far. The query stands beside its context where asked for.
   */
  protected attendStep(
    query: Tensor2D,
    { attention, mask }: RecurrentMemory,
    state: DecoderState,
    withQuery?: WithQuery,
  ): AttendedStep {
    const { coverage } = state;
    const [rows] = mask.shape;
    const perSource = (x: Tensor) => (x.shape[0] === rows ? x : reshape(x, [rows, -1, x.shape[1]!])); // [B, k, ...]
    const perRow = (x: Tensor) => (x.rank === 2 ? x : reshape(x, [-1, x.shape[2]!])) as Tensor2D; // [R, ...]
    const attended = this.attention!.attend(perSource(query), attention!, {
      mask,
      withQuery,
      ...(coverage && { coverage: perSource(coverage) }),
    });
    const weights = perRow(attended.weights);
    return {
      context: perRow(attended.context),
      weights,
      covered: coverage ? { coverage: add(coverage, weights) } : {},
    };
  }

  /** The recurrent layers one step on: x [R, I] → output [R, H]. */
  protected recurStep(
    x: Tensor2D,
    state: DecoderState,
    { dropout, weights }: StepMode,
  ): { output: Tensor2D; next: DecoderState } {
    const prepared = weights?.prepared(this.rnn);
    const { output, state: next } = this.rnn.step(x, recurrentState(state), { dropout, prepared });
    const { hidden, cell } = next;
    return { output, next: cell ? { hidden, cell } : { hidden } };
  }
}

/** An embedding that is the output layer's weight too starts as small as such a layer's, or first losses are enormous. */
function scale(weight: Parameter, factor: number): void {
  tidy(() => weight.assign(mul(weight, factor)));
}

/** Features joined along their last axis. */
function sideBySide(parts: readonly Tensor[]): Tensor {
  return parts.length === 1 ? parts[0]! : concat([...parts], -1);
}

/** [B, T, E] → T × [B, E]. */
function steps(x: Tensor3D): Tensor2D[] {
  const [rows, time, size] = x.shape;
  if (time === 1) return [reshape(x, [rows, size])]; // tfjs' unstack has no gradient for a single one
  return unstack(x as Tensor, 1) as Tensor2D[];
}

function recurrentState(state: DecoderState): RecurrentState {
  const { hidden, cell } = state as { hidden: Tensor3D; cell?: Tensor3D };
  return cell ? { hidden, cell } : { hidden };
}
