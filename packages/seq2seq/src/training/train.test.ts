import { memory } from '@tensorflow/tfjs-core';
import { beforeAll, expect, test } from 'vitest';
import { presets, Seq2Seq, train, translateBatch, useBackend } from '../index.js';
import { copyBatches, sequences } from '../testing/copy-task.js';

beforeAll(async () => {
  await useBackend();
});

const task = { symbols: 8, shortest: 3, longest: 6, seed: 5 };

test('a model with attention learns to copy sequences it never saw', async () => {
  const model = Seq2Seq.create(
    presets['notes-additive']({ sourceVocabulary: 12, targetVocabulary: 12, hiddenSize: 48 }),
  );
  const before = memory().numTensors;
  const batches = copyBatches(40, 32, task);
  for await (const _ of train(model, batches, { epochs: 12, optimizer: { learningRate: 4e-3 } }));
  expect(memory().numTensors).toBe(before);
  const unseen = sequences(200, { ...task, seed: 900 });
  const found = await translateBatch(model, unseen);
  const exact = found.filter(([best], i) => best!.tokens.join() === unseen[i]!.join()).length;
  expect(exact / unseen.length).toBeGreaterThanOrEqual(0.99);
});
