// The Transformer's decoder. Search reads one token at a time: keys and values of the tokens before are its state.
import { type AttentionMemory, causalMask } from '@seqloom/attention';
import { type DropoutKey, deriveSeed, type Embedding, LayerNorm, type Parameter } from '@seqloom/tensor-ops';
import { reshape, type Tensor, type Tensor1D, type Tensor2D, type Tensor3D } from '@tensorflow/tfjs-core';
import type { TransformerConfig } from '../config/transformer-config.js';
import { type Decoded, type DecodedStep, Decoder, type DecoderMemory, type DecoderState } from '../decoder/decoder.js';
import type { Encoded } from '../encoder.js';
import type { StepWeights } from '../step-weights.js';
import { TransformerDecoderLayer } from './decoder-layer.js';
import { TokenVectors } from './token-vectors.js';

export interface TransformerDecoderOptions {
  config: TransformerConfig;
  vocabulary: number;
  padId: number;
  /** The source embedding, where both sides share one. */
  sharedEmbedding?: Embedding | undefined;
  seed: number;
}

/** The source, projected by each layer. */
interface TransformerMemory extends DecoderMemory {
  readonly layers: Readonly<Record<number, AttentionMemory>>;
}

/**
 * Token vectors, layers with a causal mask, a last norm (Vaswani et al. 2017, section 3.1). The attention it tells is the last
 * layer's on the source, the mean of its heads. Parameters `embedding.weight`, `layers.0.…`, `norm.…`.
 */
export class TransformerDecoder extends Decoder {
  readonly featureSize: number;
  private readonly tokens: TokenVectors;
  private readonly layers: TransformerDecoderLayer[];
  private readonly norm: LayerNorm;

  constructor({ config, vocabulary, padId, sharedEmbedding, seed }: TransformerDecoderOptions) {
    super();
    this.featureSize = config.size;
    this.tokens = new TokenVectors({
      config,
      vocabulary,
      padId,
      shared: sharedEmbedding,
      seed: deriveSeed(seed, 'tokens'),
    });
    for (const [name, parameter] of this.tokens.namedParameters()) this.own(name, parameter);
    this.layers = Array.from({ length: config.decoderLayers }, (_, i) =>
      this.child(`layers.${i}`, new TransformerDecoderLayer(config, deriveSeed(seed, `layer ${i}`))),
    );
    this.norm = this.child('norm', new LayerNorm({ size: config.size }));
  }

  get embeddingWeight(): Parameter {
    return this.tokens.embedding.weight;
  }

  override get longestTarget(): number {
    return this.tokens.limit;
  }

  start({ output, mask, ids }: Encoded): { memory: TransformerMemory; state: DecoderState } {
    const layers = { ...this.layers.map((layer) => layer.project(output)) };
    return { memory: { layers, mask, source: ids }, state: {} };
  }

  forward(tokens: Tensor2D, memory: TransformerMemory, state: DecoderState, dropout?: DropoutKey): Decoded {
    const x = this.tokens.forward(tokens, 0, dropout); // [B, T, H]
    const targetMask = causalMask(tokens.shape[1]);
    const { features, weights } = this.read(x, memory, state, { targetMask, dropout });
    return { features: features as Tensor3D, weights: weights as Tensor3D };
  }

  step(tokens: Tensor1D, memory: TransformerMemory, state: DecoderState, stepWeights?: StepWeights): DecodedStep {
    const [rows] = tokens.shape;
    const before = state.keys_l0?.shape[1] ?? 0;
    const x = this.tokens.forward(reshape(tokens, [rows, 1]), before); // [R, 1, H]
    const { features, weights, state: next } = this.read(x, memory, state, { weights: stepWeights });
    return { features: reshape(features, [rows, -1]), weights: reshape(weights, [rows, -1]), state: next };
  }

  /** x [R, T, H] through all layers, after the tokens whose keys and values are in `state`. */
  private read(
    x: Tensor,
    { layers, mask }: TransformerMemory,
    state: DecoderState,
    options: { targetMask?: Tensor; dropout?: DropoutKey | undefined; weights?: StepWeights | undefined },
  ): { features: Tensor; weights: Tensor; state: DecoderState } {
    const next: Record<string, Tensor> = {};
    let weights: Tensor | null = null;
    let y = x;
    for (const [i, layer] of this.layers.entries()) {
      const { [`keys_l${i}`]: keys, [`values_l${i}`]: values } = state;
      const past = keys && values ? { keys, values } : undefined;
      const context = { memory: layers[i]!, sourceMask: mask, past, ...options };
      const result = layer.forward(y, context, i === this.layers.length - 1);
      y = result.output;
      weights = result.weights;
      next[`keys_l${i}`] = result.past.keys;
      next[`values_l${i}`] = result.past.values;
    }
    return { features: this.norm.forward(y), weights: weights!, state: next };
  }
}
