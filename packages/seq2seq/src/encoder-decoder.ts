// The encoder and the decoder that a configuration names.
import { deriveSeed } from '@seqloom/tensor-ops';
import type { ModelConfig } from './config/model-config.js';
import { createDecoder } from './decoder/create-decoder.js';
import type { Decoder } from './decoder/decoder.js';
import { Encoder, type SourceEncoder } from './encoder.js';
import { TransformerDecoder } from './transformer/decoder.js';
import { TransformerEncoder } from './transformer/encoder.js';

export interface EncoderDecoder {
  readonly encoder: SourceEncoder;
  readonly decoder: Decoder;
}

/** Encoder and decoder; with `shareEmbeddings` the second reads the first one's token vectors. */
export function createEncoderDecoder(config: ModelConfig): EncoderDecoder {
  const [encoderSeed, decoderSeed] = [deriveSeed(config.seed, 'encoder'), deriveSeed(config.seed, 'decoder')];
  const source = { vocabulary: config.sourceVocabulary, padId: config.padId, seed: encoderSeed };
  if (config.kind === 'recurrent') {
    const encoder = new Encoder({ ...config.encoder, ...source });
    const sharedEmbedding = config.shareEmbeddings ? encoder.embedding : undefined;
    return { encoder, decoder: createDecoder({ config, sharedEmbedding, seed: decoderSeed }) };
  }
  const encoder = new TransformerEncoder({ config: config.transformer, ...source });
  const decoder = new TransformerDecoder({
    config: config.transformer,
    vocabulary: config.targetVocabulary,
    padId: config.padId,
    sharedEmbedding: config.shareEmbeddings ? encoder.embedding : undefined,
    seed: decoderSeed,
  });
  return { encoder, decoder };
}
