import { tensor3d } from '@tensorflow/tfjs-core';
import { beforeAll, expect, test } from 'vitest';
import { coverageLoss } from './coverage-loss.js';
import { presets, Seq2Seq, useBackend } from './index.js';
import { batchOf } from './testing/copy-task.js';

beforeAll(async () => {
  await useBackend();
});

test('counts what is spent again, and no padding', () => {
  const weights = tensor3d([0.9, 0.1, 0.6, 0.4, 0.2, 0.8, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5], [2, 3, 2]);
  const targets = { inputs: new Int32Array(6), outputs: new Int32Array(6), width: 3, lengths: Int32Array.of(3, 2) };
  const loss = coverageLoss(weights, targets);
  // step 2: min(.6,.9) + min(.4,.1); step 3: min(.2,1.5) + min(.8,.5); second row, step 2: min(.5,.5) twice
  expect(loss.dataSync()[0]).toBeCloseTo(0.6 + 0.1 + 0.2 + 0.5 + 1, 5);
  weights.dispose();
  loss.dispose();
});

test('adds to the loss of the tokens, and needs attention', () => {
  const sizes = { sourceVocabulary: 12, targetVocabulary: 12, hiddenSize: 8 };
  const batch = batchOf([
    [
      [4, 5],
      [6, 7, 8],
    ],
  ]);
  const model = Seq2Seq.create(presets['notes-dot'](sizes));
  const value = (coverage: number) => {
    const loss = model.loss(batch, { coverage });
    const [number] = loss.dataSync();
    loss.dispose();
    return number!;
  };
  const slope = value(1) - value(0);
  expect(slope).toBeGreaterThan(0);
  expect(value(2) - value(0)).toBeCloseTo(2 * slope, 4);
  expect(() => Seq2Seq.create(presets['notes-plain'](sizes)).loss(batch, { coverage: 1 })).toThrow(
    'loss: coverage needs attention; got decoder.kind plain',
  );
});
