import { type DropoutKey, valueAndGradients } from '@seqloom/tensor-ops';
import { dispose, memory, type Tensor, tidy } from '@tensorflow/tfjs-core';
import { beforeAll, describe, expect, test } from 'vitest';
import { padSources } from './batch.js';
import { type Batch, Seq2Seq, useBackend } from './index.js';
import { type RowScores, Scorer } from './search/scorer.js';
import { batchOf } from './testing/copy-task.js';
import { variants } from './testing/variants.js';

beforeAll(async () => {
  await useBackend();
});

const pairs: [number[], number[]][] = [
  [
    [4, 5, 6, 7],
    [8, 9, 10],
  ],
  [[11], [5, 5, 4, 6, 7]],
  [[6, 4], [9]],
];

const values = (make: () => Tensor | null): number[] => {
  const tensor = tidy(() => make()?.clone() ?? ({} as Tensor));
  const read = tensor.dataSync ? [...tensor.dataSync()] : [];
  tensor.dispose?.();
  return read;
};
const loss = (model: Seq2Seq, batch: Batch, dropout?: DropoutKey): number =>
  values(() => model.loss(batch, { reduction: 'sum', ...(dropout && { dropout }) }))[0]!;

function expectClose(actual: ArrayLike<number>, expected: ArrayLike<number>, tolerance = 1e-5): void {
  expect(actual.length).toBe(expected.length);
  const worst = Math.max(...Array.from(actual, (value, i) => Math.abs(value - expected[i]!)));
  expect(worst).toBeLessThan(tolerance);
}

/** The scores' numbers, which hold for the moment only. */
const copyOf = ({ logProbabilities, weights }: RowScores) => ({
  logProbabilities: [...logProbabilities],
  weights: [...(weights ?? [])],
});

describe.each(variants)('%s', (_, config) => {
  let model: Seq2Seq;
  beforeAll(() => {
    model = Seq2Seq.create(config);
  });

  test('reading whole targets and reading token by token give the same scores and attention', () => {
    const [source, target] = pairs[0]!;
    const batch = batchOf([[source, target]]);
    const whole = values(() => model.logProbabilities(batch));
    const attention = values(() => model.attention(batch));
    const scorer = new Scorer([model], padSources([source], 0));
    const steps = [2, ...target].map((token) => scorer.advance(Int32Array.of(token), copyOf));
    scorer.dispose();
    expectClose(
      steps.flatMap((step) => step.logProbabilities),
      whole,
    );
    expectClose(
      steps.flatMap((step) => step.weights),
      attention,
    );
  });

  test('a target token never changes the scores before it', () => {
    const before = values(() =>
      model.logProbabilities(
        batchOf([
          [
            [4, 5],
            [6, 7, 8, 9],
          ],
        ]),
      ),
    );
    const after = values(() =>
      model.logProbabilities(
        batchOf([
          [
            [4, 5],
            [6, 7, 11, 10],
          ],
        ]),
      ),
    );
    expectClose(after.slice(0, 3 * 12), before.slice(0, 3 * 12), 1e-7);
    expect(after.slice(3 * 12)).not.toEqual(before.slice(3 * 12));
  });

  test('batch-mates and padding change neither loss nor attention, and padding gets weight zero', () => {
    const alone = pairs.map((pair) => loss(model, batchOf([pair])));
    const together = loss(model, batchOf(pairs));
    const wide = loss(model, batchOf(pairs, { source: 9, target: 11 }));
    const sum = alone.reduce((a, b) => a + b, 0);
    expect(together).toBeCloseTo(sum, 4);
    expect(wide).toBeCloseTo(sum, 4);
    const attention = values(() => model.attention(batchOf(pairs))); // [3, 6, 4]
    const second = values(() => model.attention(batchOf([pairs[2]!]))); // [1, 2, 2]
    if (attention.length === 0) return;
    for (const t of [0, 1]) {
      const row = attention.slice((2 * 6 + t) * 4, (2 * 6 + t) * 4 + 4);
      expectClose(row.slice(0, 2), second.slice(2 * t, 2 * t + 2));
      expect(row.slice(2)).toEqual([0, 0]);
    }
  });

  test('an empty source gives numbers, alone and beside others', () => {
    const alone = loss(model, batchOf([[[], [4, 5]]], { source: 0 }));
    const beside = loss(model, batchOf([[[], [4, 5]], ...pairs]));
    expect(alone).toBeGreaterThan(0);
    expect(beside).toBeGreaterThan(alone);
  });

  test('a target without words, alone in its batch, has a loss and gradients', () => {
    const { value, gradients } = valueAndGradients(() => model.loss(batchOf([[[4, 5], []]])), model.parameters());
    expect(value.dataSync()[0]).toBeGreaterThan(0);
    expect(gradients.some((gradient) => gradient.dataSync().some((g) => g !== 0))).toBe(true);
    dispose([value, ...gradients]);
  });

  test('the gradient of every parameter is finite, most are not zero, and nothing is left behind', () => {
    const before = memory().numTensors;
    const key = { seed: 1, step: 1, rowOffset: 0 };
    const { value, gradients } = valueAndGradients(
      () => model.loss(batchOf(pairs), { dropout: key }),
      model.parameters(),
    );
    for (const gradient of gradients) expect(gradient.dataSync().every(Number.isFinite)).toBe(true);
    const untouched = [...model.uniqueParameters().keys()].filter((_, i) =>
      gradients[i]!.dataSync().every((g) => g === 0),
    );
    expect(untouched).toEqual([]);
    dispose([value, ...gradients]);
    expect(memory().numTensors).toBe(before);
  });
});
