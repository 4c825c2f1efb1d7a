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
