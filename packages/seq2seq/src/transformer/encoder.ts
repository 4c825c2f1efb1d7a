import { lengthMask } from '@seqloom/attention';
import { type DropoutKey, deriveSeed, type Embedding, LayerNorm } from '@seqloom/tensor-ops';
import { type Tensor, type Tensor2D, type Tensor3D, tensor2d } from '@tensorflow/tfjs-core';
import type { Sources } from '../batch.js';
import type { TransformerConfig } from '../config/transformer-config.js';
import { type Encoded, SourceEncoder } from '../encoder.js';
import { TransformerEncoderLayer } from './encoder-layer.js';
import { TokenVectors } from './token-vectors.js';

export interface TransformerEncoderOptions {
  config: TransformerConfig;
  vocabulary: number;
  padId: number;
  seed: number;
}

/**
 * Token vectors, layers, a last norm (Vaswani et al. 2017, section 3.1; the last norm as PyTorch's nn.Transformer has it, with
 * norms before and after alike). Parameters `embedding.weight`, `layers.0.…`, `norm.…`.
 */
export class TransformerEncoder extends SourceEncoder {
  readonly outputSize: number;
  readonly embedding: Embedding;
  private readonly tokens: TokenVectors;
  private readonly layers: TransformerEncoderLayer[];
  private readonly norm: LayerNorm;

  constructor({ config, vocabulary, padId, seed }: TransformerEncoderOptions) {
    super();
    this.outputSize = config.size;
    this.tokens = new TokenVectors({ config, vocabulary, padId, seed: deriveSeed(seed, 'tokens') });
    this.embedding = this.tokens.embedding;
    for (const [name, parameter] of this.tokens.namedParameters()) this.own(name, parameter);
    this.layers = Array.from({ length: config.encoderLayers }, (_, i) =>
      this.child(`layers.${i}`, new TransformerEncoderLayer(config, deriveSeed(seed, `layer ${i}`))),
    );
    this.norm = this.child('norm', new LayerNorm({ size: config.size }));
  }

  forward({ rows, ids, width, lengths }: Sources, dropout?: DropoutKey): Encoded {
    const tokens = tensor2d(ids, [rows, width], 'int32');
    const mask = lengthMask(lengths, width) as Tensor as Tensor2D;
    let x: Tensor = this.tokens.forward(tokens, 0, dropout); // [B, S, H]
    for (const layer of this.layers) x = layer.forward(x, mask, dropout);
    return { output: this.norm.forward(x) as Tensor3D, mask, state: null, lengths, ids: tokens };
  }
}
