// What a model is made of, as plain JSON: checked, with every default written out.
import { z } from 'zod';
import { ConfigError, parse } from './parse.js';
import { checkRules } from './rules.js';
import { resolveTransformer, type TransformerConfig, transformerSchema } from './transformer-config.js';

const size = z.int().min(1);
const rate = z.number().min(0).lt(1);
const tokenId = z.int().min(0);

const recurrentFields = {
  nonlinearity: z.enum(['tanh', 'relu']).default('tanh').describe("Activation of cell 'rnn'."),
  resetAfter: z
    .boolean()
    .default(true)
    .describe(
      "cell gru: the reset gate scales the state's product, as in PyTorch; false: the state, as in Cho et al. 2014.",
    ),
  peephole: z.boolean().default(false).describe('cell lstm: the gates see the cell state.'),
  layerNorm: z.boolean().default(false).describe('cells gru and lstm: layer-normalised sums take the place of biases.'),
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
  attentionNormalized: z
    .boolean()
    .default(false)
    .describe('attention additive, concat: v becomes g v/‖v‖ and the score has a bias (Salimans & Kingma 2016).'),
  coverage: z
    .boolean()
    .default(false)
    .describe('attention additive, concat: the score knows how much each source token was attended to so far.'),
  copy: z
    .boolean()
    .default(false)
    .describe('Tokens may be copied from the source where attention points; copyMap says what each then is.'),
  tieEmbeddings: z.boolean().default(false).describe('The output layer uses the target embedding as its weight.'),
});

/** The schema of a model's configuration; `resolveModelConfig` fills in the defaults that depend on other values. */
export const modelConfigSchema = z.strictObject({
  kind: z
    .enum(['recurrent', 'transformer'])
    .optional()
    .describe('recurrent: encoder, decoder and bridge; transformer: the section of that name. Default: the one given.'),
  encoder: encoderSchema.optional().describe('kind recurrent: what reads the source.'),
  decoder: decoderSchema.optional().describe('kind recurrent: what says the target.'),
  bridge: z
    .enum(['zero', 'last', 'mean', 'dense'])
    .optional()
    .describe("How the decoder's first state comes from the encoder; default: last where the sizes agree, else dense."),
  transformer: transformerSchema.optional().describe('kind transformer: encoder and decoder.'),
  sourceVocabulary: size.describe('Number of source token ids.'),
  targetVocabulary: size.describe('Number of target token ids.'),
  shareEmbeddings: z.boolean().default(false).describe('Source and target use one embedding (one vocabulary).'),
  copyMap: z
    .array(tokenId)
    .nullable()
    .default(null)
    .describe('For each source id the target id that copying it says, unkId where there is none; null: the same id.'),
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

export type EncoderConfig = Filled<z.output<typeof encoderSchema>>;
export type DecoderConfig = Filled<z.output<typeof decoderSchema>>;

type Common = Omit<Parsed, 'kind' | 'encoder' | 'decoder' | 'bridge' | 'transformer'>;

/** A recurrent model with every value written out. */
export interface RecurrentConfig extends Common {
  kind: 'recurrent';
  encoder: EncoderConfig;
  decoder: DecoderConfig;
  bridge: NonNullable<Parsed['bridge']>;
}

/** A Transformer with every value written out. */
export interface TransformerModelConfig extends Common {
  kind: 'transformer';
  transformer: TransformerConfig;
}

/** A checked configuration with every value written out. */
export type ModelConfig = RecurrentConfig | TransformerModelConfig;

/**
 * The configuration with every default written out. Resolving it again changes nothing.
 *
 * @throws ConfigError naming the key, the rule and what came; an unknown key with the nearest known one
 */
export function resolveModelConfig(input: unknown): ModelConfig {
  const { kind, encoder, decoder, bridge, transformer, ...common } = parse(modelConfigSchema, input, 'model config');
  const chosen = kind ?? (transformer ? 'transformer' : 'recurrent');
  refuseSections(chosen, chosen === 'transformer' ? { encoder, decoder, bridge } : { transformer });
  const config =
    chosen === 'transformer'
      ? { ...common, kind: chosen, transformer: resolveTransformer(transformer ?? transformerSchema.parse({})) }
      : { ...common, kind: chosen, ...resolveRecurrent(encoder, decoder, bridge) };
  checkRules(config);
  return config;
}

/** @throws ConfigError naming a section that belongs to the other kind */
function refuseSections(kind: ModelConfig['kind'], others: Record<string, unknown>): void {
  const [given] = Object.keys(others).filter((name) => others[name] !== undefined);
  if (!given) return;
  const owner = kind === 'recurrent' ? 'transformer' : 'recurrent';
  throw new ConfigError(`model config: ${given} belongs to kind ${owner}; got it with kind ${kind}`);
}

function resolveRecurrent(
  givenEncoder: Parsed['encoder'] = encoderSchema.parse({}),
  givenDecoder: Parsed['decoder'] = decoderSchema.parse({}),
  bridge: Parsed['bridge'],
): Pick<RecurrentConfig, 'encoder' | 'decoder' | 'bridge'> {
  const encoder = {
    ...givenEncoder,
    embeddingSize: givenEncoder.embeddingSize ?? givenEncoder.hiddenSize,
    embeddingDropout: givenEncoder.embeddingDropout ?? givenEncoder.dropout,
  };
  const decoder = resolveDecoder(givenDecoder, encoder);
  return { encoder, decoder, bridge: bridge ?? defaultBridge(encoder, decoder) };
}

function resolveDecoder(given: z.output<typeof decoderSchema>, encoder: EncoderConfig): DecoderConfig {
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

function defaultBridge(encoder: EncoderConfig, decoder: DecoderConfig): RecurrentConfig['bridge'] {
  return encoderOutputSize(encoder) === decoder.hiddenSize && encoder.numLayers >= decoder.numLayers ? 'last' : 'dense';
}

/** Width of the encoder's outputs: both directions side by side. */
export function encoderOutputSize(encoder: { hiddenSize: number; bidirectional: boolean }): number {
  return encoder.hiddenSize * (encoder.bidirectional ? 2 : 1);
}
