import { beforeAll, expect, test } from 'vitest';
import { presets, Seq2Seq, useBackend } from '../index.js';
import { copyBatches } from '../testing/copy-task.js';
import { sampledInputs, scheduledSamplingSchema, truthShare } from './scheduled-sampling.js';

let model: Seq2Seq;
beforeAll(async () => {
  await useBackend();
  model = Seq2Seq.create(presets['notes-qkv']({ sourceVocabulary: 12, targetVocabulary: 12, hiddenSize: 8 }));
});

const [batch] = copyBatches(1, 40, { symbols: 8, shortest: 2, longest: 9, seed: 4 });
const width = Math.max(...batch!.targetLengths) - 1;
const truth = Array.from(
  { length: 40 * width },
  (_, at) => batch!.target[Math.floor(at / width) * batch!.targetWidth + (at % width)]!,
);
const key = { seed: 1, step: 1, rowOffset: 0 };

test('the share of the truth falls as its schedule says', () => {
  const share = (options: object, step: number) => truthShare(scheduledSamplingSchema.parse(options), step);
  expect(share({ kind: 'constant', truth: 0.6 }, 999)).toBe(0.6);
  expect([0, 50, 100, 500].map((step) => share({ kind: 'linear', truth: 0.2, steps: 100 }, step))).toEqual([
    1, 0.6, 0.2, 0.2,
  ]);
  expect(share({ kind: 'inverse-sigmoid', k: 10 }, 0)).toBeCloseTo(10 / 11, 12);
  expect(share({ kind: 'inverse-sigmoid', k: 10 }, 1e6)).toBe(0);
});

test('at 1 the inputs are the truth', () => {
  expect([...sampledInputs(model, batch!, 1, key)]).toEqual(truth);
});

test('at 0 every input but <bos> is what greedy decoding says', () => {
  const inputs = sampledInputs(model, batch!, 0, key);
  for (let row = 0; row < 40; row++) {
    const length = batch!.targetLengths[row]! - 1;
    const read = [...inputs.subarray(row * width, row * width + length)];
    expect(read[0]).toBe(2);
    const source = batch!.source.slice(row * batch!.sourceWidth, row * batch!.sourceWidth + batch!.sourceLengths[row]!);
    const target = Int32Array.from([...read, 3]);
    const output = model.logProbabilities({
      rows: 1,
      source,
      sourceWidth: source.length,
      sourceLengths: Int32Array.of(source.length),
      target,
      targetWidth: target.length,
      targetLengths: Int32Array.of(target.length),
    });
    const scores = output.dataSync();
    output.dispose();
    for (let t = 1; t < length; t++) {
      const step = [...scores.slice((t - 1) * 12, t * 12)];
      expect(read[t]).toBe(step.indexOf(Math.max(...step)));
    }
  }
});

test('tokens are drawn one by one: rows mix both, and the share is about right', () => {
  const inputs = sampledInputs(model, batch!, 0.5, key);
  const greedy = sampledInputs(model, batch!, 0, key);
  const changed = [...inputs.keys()].filter((at) => inputs[at] !== truth[at]).length;
  const different = [...greedy.keys()].filter((at) => greedy[at] !== truth[at]).length;
  expect(changed / different).toBeGreaterThan(0.35);
  expect(changed / different).toBeLessThan(0.65);
});

test('the draws depend on seed, step and row, not on who computes the row', () => {
  expect(sampledInputs(model, batch!, 0.5, key)).toEqual(sampledInputs(model, batch!, 0.5, key));
  expect(sampledInputs(model, batch!, 0.5, key)).not.toEqual(sampledInputs(model, batch!, 0.5, { ...key, step: 2 }));
});
