import { memory, tidy } from '@tensorflow/tfjs-core';
import { beforeAll, describe, expect, test } from 'vitest';
import { sliceRows } from '../batch.js';
import {
  type Batch,
  loadModel,
  type ModelConfigInput,
  memoryStore,
  Seq2Seq,
  saveModel,
  train,
  translateBatch,
  useBackend,
} from '../index.js';
import { batchOf, copyBatches, sequences } from '../testing/copy-task.js';
import { SinusoidalPositions } from './positions.js';

const sizes = { sourceVocabulary: 12, targetVocabulary: 12, seed: 1 };
const tiny = { size: 32, numHeads: 4, encoderLayers: 1, decoderLayers: 1, feedForwardSize: 64 } as const;

beforeAll(async () => {
  await useBackend();
});

test('sinusoidal positions: sine and cosine of ever longer waves, whatever the first position', () => {
  tidy(() => {
    const positions = new SinusoidalPositions(4);
    const [, second] = positions.vectors(0, 2).arraySync() as number[][];
    for (const [i, value] of [Math.sin(1), Math.cos(1), Math.sin(0.01), Math.cos(0.01)].entries()) {
      expect(second![i]).toBeCloseTo(value, 6);
    }
    expect((positions.vectors(5, 3).arraySync() as number[][])[1]).toEqual(
      (positions.vectors(0, 9).arraySync() as number[][])[6],
    );
  });
});

test('order matters: reversed sources give other scores', () => {
  const model = Seq2Seq.create({ transformer: tiny, ...sizes });
  const scores = (source: number[]) =>
    tidy(() =>
      model
        .logProbabilities(batchOf([[source, [4]]]))
        .dataSync()
        .slice(),
    );
  expect(scores([4, 5, 6])).not.toEqual(scores([6, 5, 4]));
  model.dispose();
});

test('what dropout drops does not depend on how a batch is shared out', () => {
  const model = Seq2Seq.create({ transformer: { ...tiny, dropout: 0.3, attentionDropout: 0.3 }, ...sizes });
  const batch = batchOf(sequences(5, { symbols: 8, shortest: 1, longest: 7, seed: 3 }).map((ids) => [ids, ids]));
  const lossOf = (part: Batch, rowOffset: number, step = 1) =>
    tidy(() => model.loss(part, { dropout: { seed: 1, step, rowOffset }, reduction: 'sum' }).dataSync()[0]!);
  const whole = lossOf(batch, 0);
  expect(lossOf(sliceRows(batch, 0, 2), 0) + lossOf(sliceRows(batch, 2, 5), 2)).toBeCloseTo(whole, 4);
  expect(lossOf(batch, 0, 2)).not.toBeCloseTo(whole, 1);
  model.dispose();
});

describe('learned positions', () => {
  const model = () => Seq2Seq.create({ transformer: { ...tiny, positions: 'learned', maxPositions: 8 }, ...sizes });

  test('a longer source is refused, a longer translation too; by default it ends in time', async () => {
    const short = model();
    const before = memory().numTensors;
    await expect(translateBatch(short, [new Array(9).fill(4)])).rejects.toThrow(
      'transformer: learned positions reach to 8 (maxPositions); got a sequence of 9 tokens',
    );
    await expect(translateBatch(short, [[4, 5]], { maxLength: 9 })).rejects.toThrow(
      'translate: this model says at most 8 tokens (maxPositions); got a length of 9',
    );
    const [found] = await translateBatch(short, [[4, 5]], { minLength: 8 });
    expect(found![0]!.tokens.length).toBe(8);
    expect(memory().numTensors).toBe(before);
    short.dispose();
  });
});

test('a beam forks and reorders the cached keys and values: what it says is scored as whole targets are', async () => {
  const model = Seq2Seq.create({ transformer: { ...tiny, decoderLayers: 2 }, ...sizes });
  const sources = [[4, 5, 6, 7, 8], [9], [10, 11, 4]];
  const found = await translateBatch(model, sources, { beam: 5, nBest: 5, maxLength: 7, lengthPenalty: 'none' });
  for (const [i, hypotheses] of found.entries()) {
    for (const { tokens, score, finish } of hypotheses) {
      const all = tidy(() =>
        model
          .logProbabilities(batchOf([[sources[i]!, tokens]]))
          .dataSync()
          .slice(),
      );
      const said = finish === 'eos' ? [...tokens, 3] : tokens;
      const expected = said.reduce((sum, token, t) => sum + all[t * 12 + token]!, 0);
      expect(score).toBeCloseTo(expected, 4);
    }
  }
  model.dispose();
});

const learners: [string, ModelConfigInput['transformer']][] = [
  ['norms before, sinusoidal positions', { ...tiny }],
  ['norms after, learned positions, gelu', { ...tiny, norm: 'post', positions: 'learned', activation: 'gelu' }],
];

test.each(learners)(
  '%s: learns to copy, and says the same when loaded',
  async (_, transformer) => {
    const task = { symbols: 8, shortest: 1, longest: 6 };
    const model = Seq2Seq.create({ transformer, ...sizes });
    const batches = copyBatches(400, 32, { ...task, seed: 1 });
    for await (const _ of train(model, batches, {
      optimizer: { learningRate: 3e-3 },
      schedule: { name: 'cosine', warmUpSteps: 30, totalSteps: 400 },
    }));
    const tests = sequences(200, { ...task, seed: 10_000 });
    const said = await translateBatch(model, tests);
    const right = said.filter(([best], i) => best!.tokens.join() === tests[i]!.join()).length;
    expect(right / tests.length).toBeGreaterThanOrEqual(0.99);

    const store = memoryStore();
    await saveModel(model, store);
    const { model: loaded } = await loadModel(store);
    expect(loaded.config).toEqual(model.config);
    expect(await translateBatch(loaded, tests.slice(0, 5))).toEqual(await translateBatch(model, tests.slice(0, 5)));
    model.dispose();
    loaded.dispose();
  },
  120_000,
);
