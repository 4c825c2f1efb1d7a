// The part of a model's configuration that a Transformer reads.
import { z } from 'zod';

const size = z.int().min(1);
const rate = z.number().min(0).lt(1);

export const transformerSchema = z.strictObject({
  size: size.default(256).describe('Width of all layers, token vectors included.'),
  numHeads: size.default(4).describe('Attention heads; divides size.'),
  encoderLayers: size.default(3).describe('Layers of the encoder.'),
  decoderLayers: size.default(3).describe('Layers of the decoder.'),
  feedForwardSize: size.optional().describe('Inner width of the feed-forward layers; default: 4 × size.'),
  activation: z.enum(['relu', 'gelu']).default('relu').describe('Of the feed-forward layers.'),
  norm: z
    .enum(['pre', 'post'])
    .default('pre')
    .describe('Layer norms before each sublayer, which trains without a warm-up, or after it, as first published.'),
  positions: z.enum(['sinusoidal', 'learned']).default('sinusoidal').describe('Where the place of a token comes from.'),
  maxPositions: size.default(512).describe("Longest sequence of positions 'learned'."),
  dropout: rate.default(0).describe('Share dropped from token vectors and from what each sublayer gives.'),
  attentionDropout: rate.optional().describe('Share of attention weights dropped; default: dropout.'),
  copy: z
    .boolean()
    .default(false)
    .describe('Tokens may be copied from the source where attention points; copyMap says what each then is.'),
  tieEmbeddings: z.boolean().default(false).describe('The output layer uses the target embedding as its weight.'),
});

type Parsed = z.output<typeof transformerSchema>;

/** Every value written out. */
export type TransformerConfig = { [K in keyof Parsed]-?: Exclude<Parsed[K], undefined> };

/** The configuration with every default written out. */
export function resolveTransformer(given: Parsed): TransformerConfig {
  return {
    ...given,
    feedForwardSize: given.feedForwardSize ?? 4 * given.size,
    attentionDropout: given.attentionDropout ?? given.dropout,
  };
}

/** The rules between values, each broken one as a sentence. */
export function* transformerRules({ size, numHeads, positions, maxPositions }: TransformerConfig): Generator<string> {
  if (size % numHeads !== 0) yield `transformer.numHeads must divide transformer.size ${size}; got ${numHeads}`;
  if (positions !== 'learned' && maxPositions !== DEFAULT_POSITIONS) {
    yield `transformer.maxPositions belongs to positions learned; got ${maxPositions} with ${positions}`;
  }
}

const DEFAULT_POSITIONS = 512;
