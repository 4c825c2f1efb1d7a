import { memory } from '@tensorflow/tfjs-core';
import { beforeAll, expect, test } from 'vitest';
import { loadModel, memoryStore, Seq2Seq, saveModel, train, translateBatch, useBackend } from './index.js';
import { batchOf } from './testing/copy-task.js';

beforeAll(async () => {
  await useBackend();
});

const create = () =>
  Seq2Seq.create({
    encoder: { hiddenSize: 24 },
    decoder: { attention: 'additive' },
    sourceVocabulary: 40,
    targetVocabulary: 300,
    seed: 3,
  });
const sources = Array.from({ length: 20 }, (_, i) => [4 + i, 5 + i, 7 + i]);
const translated = async (model: Seq2Seq) =>
  (await translateBatch(model, sources, { maxLength: 6 })).map(([best]) => best!);

test('weights laid out once give the very same translations, at once and after training', async () => {
  const model = create();
  const before = await translated(model);
  model.layOut();
  expect(await translated(model)).toEqual(before);
  for await (const _ of train(
    model,
    [
      batchOf([
        [
          [4, 5],
          [6, 7],
        ],
      ]),
    ],
    { steps: 3, optimizer: { learningRate: 0.1 } },
  ));
  expect(model.stepWeights).toBeNull();
  const trained = await translated(model);
  model.layOut();
  expect(await translated(model)).toEqual(trained);
  expect(trained).not.toEqual(before);
  model.dispose();
});

test('8-bit weights change scores a little, and no translation', async () => {
  const model = create();
  const exact = await translated(model);
  const store = memoryStore();
  await saveModel(model, store);
  const { model: rounded } = await loadModel(store, { precision: 'int8' });
  const found = await translated(rounded);
  const difference = found.map(({ logProbabilities }, i) =>
    Math.abs(logProbabilities[0]! - exact[i]!.logProbabilities[0]!),
  );
  expect(Math.max(...difference)).toBeGreaterThan(0);
  expect(Math.max(...difference)).toBeLessThan(0.005);
  const texts = (all: typeof found) => all.map(({ tokens }) => tokens.join(' '));
  expect(texts(found)).toEqual(texts(exact));
  model.dispose();
  rounded.dispose();
});

test('laying out, translating and disposing leaves no tensors behind', async () => {
  const before = memory().numTensors;
  const model = create();
  for (const precision of ['int8', 'float32'] as const) {
    model.layOut(precision);
    await translated(model);
    await translated(model);
  }
  model.dispose();
  expect(memory().numTensors).toBe(before);
});
