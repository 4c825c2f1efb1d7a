// What a model is made of, as plain JSON: checked, with every default written out.
import { z } from 'zod';
import { parse } from './parse.js';
import { checkRules } from './rules.js';

const size = z.int().min(1);
const rate = z.number().min(0).lt(1);
const tokenId = z.int().min(0);

const recurrentFields = {
  nonlinearity: z.enum(['tanh', 'relu']).default('tanh').describe("Activation of cell 'rnn'."),
  numLayers: size.default(1).describe('Recurrent layers on top of each other.'),
  embeddingSize: size.optional().describe('Size of a token vector; default: hiddenSize.'),
  residual: z.boolean().default(false).describe("Adds each layer's input to its output from the second layer on."),
  dropout: rate.default(0).describe('Share of values dropped between layers, and elsewhere unless said otherwise.'),
  embeddingDropout: rate.optional().describe('Share dropped from token vectors; default: dropout.'),
};

const encoderSchema = z.strictObject({
  cell: z.enum(['rnn', 'gru', 'lstm']).default('gru').describe('Recurrent cell.'),
  hiddenSize: size.default(256).describe('State size of each direction.'),
  bidirectional: z.boolean().default(false).describe('Reads the source from both ends; outputs are twice as wide.'),
  ...recurrentFields,
  outputDropout: rate.default(0).describe('Share dropped from the outputs that attention reads.'),
});

const decoderSchema = z.strictObject({
  kind: z
    .enum(['plain', 'luong', 'concat', 'bahdanau', 'qkv'])
    .optional()
    .describe("Where attention enters; default: 'luong' with attention, 'plain' without."),
  attention: z
    .enum(['dot', 'scaled-dot', 'general', 'additive', 'concat', 'multi-head'])
    .nullable()
    .optional()
    .describe(
      "Score function; null only with kind 'plain'. Default: additive for bahdanau, scaled-dot for qkv, else dot.",
    ),
  attentionSize: size.optional().describe('Inner size of scores that have one; default: hiddenSize.'),
  attentionHeads: size.default(1).describe("Heads of attention 'multi-head'."),
  cell: z.enum(['rnn', 'gru', 'lstm']).optional().describe("Recurrent cell; default: the encoder's."),
  hiddenSize: size.optional().describe("State size; default: the encoder's."),
  ...recurrentFields,
  outputDropout: rate.optional().describe('Share dropped from what enters the output layer; default: dropout.'),
  inputFeeding: z.boolean().default(false).describe('luong: the attentional state enters the next step.'),
  attentionBias: z.boolean().default(true).describe('luong: tanh(Wc[c;s] + b) has its bias b.'),
  readout: z
    .enum(['tanh', 'maxout', 'none'])
    .default('tanh')
    .describe('bahdanau: what stands between [state; context; embedding] and the output layer.'),
  readoutSize: size.optional().describe('bahdanau: size of the readout; default: embeddingSize.'),
  contextInput: z
    .enum(['combined', 'alone'])
    .default('combined')
    .describe('qkv: the cell reads attn_combine([Q; C]), or C alone.'),
  repeatContext: z.boolean().default(false).describe("plain: the encoder's last state is an input of every step."),
  coverage: z
    .boolean()
    .default(false)
    .describe('attention additive, concat: the score knows how much each source token was attended to so far.'),
  copy: z
    .boolean()
    .default(false)
    .describe('Tokens may be copied from the source where attention points (one vocabulary for both sides).'),
  tieEmbeddings: z.boolean().default(false).describe('The output layer uses the target embedding as its weight.'),
});

/** The schema of a model's configuration; `resolveModelConfig` fills in the defaults that depend on other values. */
export const modelConfigSchema = z.strictObject({
  encoder: encoderSchema.prefault({}),
  decoder: decoderSchema.prefault({}),
  bridge: z
    .enum(['zero', 'last', 'mean', 'dense'])
    .optional()
    .describe("How the decoder's first state comes from the encoder; default: last where the sizes agree, else dense."),
  sourceVocabulary: size.describe('Number of source token ids.'),
  targetVocabulary: size.describe('Number of target token ids.'),
  shareEmbeddings: z.boolean().default(false).describe('Source and target use one embedding (one vocabulary).'),
  padId: tokenId.default(0),
  unkId: tokenId.default(1),
  bosId: tokenId.default(2),
  eosId: tokenId.default(3),
  seed: z.int().default(1).describe('Seed of the first weights.'),
});

/** What `Seq2Seq.create` takes: only the vocabulary sizes are needed. */
export type ModelConfigInput = z.input<typeof modelConfigSchema>;

type Parsed = z.output<typeof modelConfigSchema>;
type Filled<T> = { [K in keyof T]-?: Exclude<T[K], undefined> };

export type EncoderConfig = Filled<Parsed['encoder']>;
export type DecoderConfig = Filled<Parsed['decoder']>;

/** A checked configuration with every value written out. */
export type ModelConfig = Filled<Omit<Parsed, 'encoder' | 'decoder'>> & {
  encoder: EncoderConfig;
  decoder: DecoderConfig;
};

/**
 * The configuration with every default written out. Resolving it again changes nothing.
 *
 * @throws ConfigError naming the key, the rule and what came; an unknown key with the nearest known one
 */
export function resolveModelConfig(input: unknown): ModelConfig {
  const parsed = parse(modelConfigSchema, input, 'model config');
  const encoder = {
    ...parsed.encoder,
    embeddingSize: parsed.encoder.embeddingSize ?? parsed.encoder.hiddenSize,
    embeddingDropout: parsed.encoder.embeddingDropout ?? parsed.encoder.dropout,
  };
  const decoder = resolveDecoder(parsed.decoder, encoder);
  const config = { ...parsed, encoder, decoder, bridge: parsed.bridge ?? defaultBridge(encoder, decoder) };
  checkRules(config);
  return config;
}

function resolveDecoder(given: Parsed['decoder'], encoder: EncoderConfig): DecoderConfig {
  const kind = given.kind ?? (given.attention ? 'luong' : 'plain');
  const hiddenSize = given.hiddenSize ?? encoder.hiddenSize;
  const embeddingSize = given.embeddingSize ?? hiddenSize;
  return {
    ...given,
    kind,
    hiddenSize,
    embeddingSize,
    attention: given.attention === undefined ? defaultAttention(kind) : given.attention,
    attentionSize: given.attentionSize ?? hiddenSize,
    cell: given.cell ?? encoder.cell,
    embeddingDropout: given.embeddingDropout ?? given.dropout,
    outputDropout: given.outputDropout ?? given.dropout,
    readoutSize: given.readoutSize ?? embeddingSize,
  };
}

function defaultAttention(kind: DecoderConfig['kind']): DecoderConfig['attention'] {
  if (kind === 'plain') return null;
  if (kind === 'bahdanau') return 'additive';
  return kind === 'qkv' ? 'scaled-dot' : 'dot';
}

function defaultBridge(encoder: EncoderConfig, decoder: DecoderConfig): ModelConfig['bridge'] {
  return encoderOutputSize(encoder) === decoder.hiddenSize && encoder.numLayers >= decoder.numLayers ? 'last' : 'dense';
}

/** Width of the encoder's outputs: both directions side by side. */
export function encoderOutputSize(encoder: { hiddenSize: number; bidirectional: boolean }): number {
  return encoder.hiddenSize * (encoder.bidirectional ? 2 : 1);
}
