import { beforeAll, expect, test } from 'vitest';
import type { ModelConfigInput } from '../config/model-config.js';
import { loadModel, memoryStore, Seq2Seq, saveModel, useBackend } from '../index.js';
import { variants } from '../testing/variants.js';
import { fewestWeights } from './fewest-weights.js';

beforeAll(async () => {
  await useBackend();
});

test.each(variants)('%s has at least as many', (_, config) => {
  const model = Seq2Seq.create(config);
  const weights = [...model.uniqueParameters().values()].reduce((sum, { size }) => sum + size, 0);
  expect(fewestWeights(model.config)).toBeLessThanOrEqual(weights);
  expect(fewestWeights(model.config)).toBeGreaterThan(0);
  model.dispose();
});

const tiny = { cell: 'rnn', hiddenSize: 2, embeddingSize: 2 } as const;

test.each<[string, ModelConfigInput]>([
  [
    'sourceVocabulary',
    { encoder: tiny, decoder: { ...tiny, attention: 'dot' }, sourceVocabulary: 9000, targetVocabulary: 9 },
  ],
  [
    'targetVocabulary',
    {
      encoder: tiny,
      decoder: { ...tiny, hiddenSize: 8, embeddingSize: 8, attention: 'additive', tieEmbeddings: true },
      sourceVocabulary: 9,
      targetVocabulary: 9000,
    },
  ],
  [
    'encoder.hiddenSize',
    {
      encoder: { ...tiny, hiddenSize: 300 },
      decoder: { ...tiny, attention: 'additive' },
      sourceVocabulary: 9,
      targetVocabulary: 9,
    },
  ],
  [
    'decoder.attentionSize',
    {
      encoder: tiny,
      decoder: { ...tiny, hiddenSize: 40, attention: 'additive', attentionSize: 3000 },
      sourceVocabulary: 9,
      targetVocabulary: 9,
    },
  ],
])('a model that is nearly all %s loads in 8 bits too, where a weight is a byte', async (_, config) => {
  const model = Seq2Seq.create(config);
  const weights = [...model.uniqueParameters().values()].reduce((sum, { size }) => sum + size, 0);
  expect(fewestWeights(model.config) / weights).toBeGreaterThan(0.8);
  expect(fewestWeights(model.config) / weights).toBeLessThanOrEqual(1);
  const store = memoryStore();
  await saveModel(model, store, { precision: 'int8' });
  model.dispose();
  (await loadModel(store)).model.dispose();
});

type Change = (model: ModelConfigInput) => void;
const recurrent: ModelConfigInput = {
  encoder: { hiddenSize: 8 },
  decoder: { kind: 'bahdanau' },
  bridge: 'dense',
  sourceVocabulary: 9,
  targetVocabulary: 9,
};
const transformer: ModelConfigInput = {
  transformer: { size: 8, numHeads: 2, positions: 'learned', maxPositions: 16 },
  sourceVocabulary: 9,
  targetVocabulary: 9,
};

test.each<[string, ModelConfigInput, Change]>([
  ['hiddenSize', recurrent, ({ encoder }) => Object.assign(encoder!, { hiddenSize: 50_000 })],
  ['numLayers', recurrent, ({ decoder }) => Object.assign(decoder!, { numLayers: 10_000_000 })],
  ['sourceVocabulary', recurrent, (model) => Object.assign(model, { sourceVocabulary: 1_000_000_000 })],
  ['attentionSize', recurrent, ({ decoder }) => Object.assign(decoder!, { attentionSize: 1_000_000_000 })],
  ['readoutSize', recurrent, ({ decoder }) => Object.assign(decoder!, { readoutSize: 1_000_000_000 })],
  ['size', transformer, (model) => Object.assign(model.transformer!, { size: 100_000, feedForwardSize: 8 })],
  ['feedForwardSize', transformer, (model) => Object.assign(model.transformer!, { feedForwardSize: 1_000_000_000 })],
  ['encoderLayers', transformer, (model) => Object.assign(model.transformer!, { encoderLayers: 10_000_000 })],
  ['maxPositions', transformer, (model) => Object.assign(model.transformer!, { maxPositions: 1_000_000_000 })],
])('a folder whose config.json claims a huge %s is refused before anything is made', async (_, small, change) => {
  const model = Seq2Seq.create(small);
  const store = memoryStore();
  await saveModel(model, store);
  model.dispose();
  const config = JSON.parse(new TextDecoder().decode((await store.read('config.json'))!));
  change(config.model);
  await store.write('config.json', new TextEncoder().encode(JSON.stringify(config)));
  await expect(loadModel(store)).rejects.toThrow(
    /^loadModel: config\.json in memory describes a model of more weights than the \d+ bytes of model\.safetensors can hold$/,
  );
});
