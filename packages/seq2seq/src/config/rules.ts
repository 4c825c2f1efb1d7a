// Rules between values of a model's configuration: what no single key's schema can say.
import { encoderOutputSize, type ModelConfig, type RecurrentConfig } from './model-config.js';
import { ConfigError } from './parse.js';
import { transformerRules } from './transformer-config.js';

/** @throws ConfigError with one sentence about the first broken rule */
export function checkRules(config: ModelConfig): void {
  for (const broken of brokenRules(config)) throw new ConfigError(`model config: ${broken}`);
}

function* brokenRules(config: ModelConfig): Generator<string> {
  if (config.kind === 'transformer') {
    yield* transformerRules(config.transformer);
  } else {
    yield* attentionRules(config);
    yield* kindRules(config);
  }
  yield* sharingRules(config);
  yield* copyRules(config);
  yield* idRules(config);
}

function* attentionRules({ encoder, decoder, bridge }: RecurrentConfig): Generator<string> {
  const memorySize = encoderOutputSize(encoder);
  if ((decoder.kind === 'plain') !== (decoder.attention === null)) {
    yield decoder.kind === 'plain'
      ? `decoder.attention must be null with decoder.kind plain; got ${decoder.attention}`
      : `decoder.kind ${decoder.kind} needs decoder.attention; got null`;
  }
  const query = decoder.kind === 'qkv' ? 'embeddingSize' : 'hiddenSize';
  if ((decoder.attention === 'dot' || decoder.attention === 'scaled-dot') && decoder[query] !== memorySize) {
    yield `attention ${decoder.attention} needs decoder.${query} equal to the encoder's output size ${memorySize}; got ${decoder[query]} (general and additive take any sizes)`;
  }
  if (decoder.attention === 'multi-head' && decoder[query] % decoder.attentionHeads !== 0) {
    yield `decoder.attentionHeads must divide decoder.${query} ${decoder[query]}; got ${decoder.attentionHeads}`;
  }
  if (decoder.attention !== 'multi-head' && decoder.attentionHeads !== 1) {
    yield `decoder.attentionHeads belongs to attention multi-head; got ${decoder.attentionHeads} with ${decoder.attention}`;
  }
  for (const key of ['attentionNormalized', 'coverage'] as const) {
    if (decoder[key] && decoder.attention !== 'additive' && decoder.attention !== 'concat') {
      yield `decoder.${key} needs attention additive or concat; got ${decoder.attention}`;
    }
  }
  if (decoder.copy && decoder.attention === null) yield 'decoder.copy needs attention; got decoder.kind plain';
  if (bridge === 'last' && memorySize !== decoder.hiddenSize) {
    yield `bridge last needs decoder.hiddenSize equal to the encoder's output size ${memorySize}; got ${decoder.hiddenSize} (bridge dense takes any size)`;
  }
  if (bridge === 'last' && encoder.numLayers < decoder.numLayers) {
    yield `bridge last needs as many encoder layers as decoder layers; got ${encoder.numLayers} and ${decoder.numLayers} (bridge dense takes any)`;
  }
}

/** Options that only one kind of decoder reads are refused elsewhere: none is silently without effect. */
function* kindRules({ encoder, decoder }: RecurrentConfig): Generator<string> {
  for (const [side, network] of Object.entries({ encoder, decoder })) {
    const { cell, resetAfter, layerNorm } = network;
    const ofCells = [
      ['nonlinearity', ['rnn'], 'tanh'],
      ['resetAfter', ['gru'], true],
      ['peephole', ['lstm'], false],
      ['layerNorm', ['gru', 'lstm'], false],
    ] as const;
    for (const [key, cells, neutral] of ofCells) {
      if (network[key] !== neutral && !cells.some((owner) => owner === cell))
        yield `${side}.${key} belongs to cell ${cells.join(' or ')}; got ${network[key]} with ${cell}`;
    }
    if (layerNorm && !resetAfter) yield `${side}.layerNorm needs resetAfter; got resetAfter false`;
  }
  const owners = [
    ['inputFeeding', 'luong', false],
    ['attentionBias', 'luong', true],
    ['readout', 'bahdanau', 'tanh'],
    ['contextInput', 'qkv', 'combined'],
    ['repeatContext', 'plain', false],
  ] as const;
  for (const [key, kind, neutral] of owners) {
    if (decoder[key] !== neutral && decoder.kind !== kind) {
      yield `decoder.${key} belongs to decoder.kind ${kind}; got ${decoder[key]} with ${decoder.kind}`;
    }
  }
}

/** What needs one vocabulary for both sides. */
function* sharingRules(config: ModelConfig): Generator<string> {
  const { sourceVocabulary, targetVocabulary } = config;
  if (config.shareEmbeddings && sourceVocabulary !== targetVocabulary) {
    yield `shareEmbeddings needs one vocabulary; got sizes ${sourceVocabulary} and ${targetVocabulary}`;
  }
  if (config.kind === 'transformer' || !config.shareEmbeddings) return;
  const { encoder, decoder } = config;
  if (encoder.embeddingSize !== decoder.embeddingSize) {
    yield `shareEmbeddings needs equal embedding sizes; got ${encoder.embeddingSize} and ${decoder.embeddingSize}`;
  }
}

function* copyRules(config: ModelConfig): Generator<string> {
  const { copyMap, sourceVocabulary, targetVocabulary } = config;
  const [side, { copy }] =
    config.kind === 'transformer' ? ['transformer', config.transformer] : ['decoder', config.decoder];
  if (copyMap === null) {
    if (copy && sourceVocabulary !== targetVocabulary)
      yield `${side}.copy needs one vocabulary, or a copyMap; got sizes ${sourceVocabulary} and ${targetVocabulary}`;
    return;
  }
  if (!copy) yield `copyMap belongs to ${side}.copy; got it without`;
  if (copyMap.length !== sourceVocabulary)
    yield `copyMap must have a target id for each of the ${sourceVocabulary} source ids; got ${copyMap.length}`;
  const outside = copyMap.findIndex((id) => id >= targetVocabulary);
  if (outside !== -1)
    yield `copyMap must hold ids below the target vocabulary's size ${targetVocabulary}; got ${copyMap[outside]} for source id ${outside}`;
}

function* idRules(config: ModelConfig): Generator<string> {
  const ids = ['padId', 'unkId', 'bosId', 'eosId'] as const;
  for (const [i, key] of ids.entries()) {
    const smallest = Math.min(
      config.targetVocabulary,
      key === 'padId' || key === 'unkId' ? config.sourceVocabulary : Infinity,
    );
    if (config[key] >= smallest) yield `${key} must be below the vocabulary size ${smallest}; got ${config[key]}`;
    const twin = ids.slice(0, i).find((other) => config[other] === config[key]);
    if (twin) yield `${twin} and ${key} must differ; got ${config[key]} for both`;
  }
}
