import { valueAndGradients } from '@seqloom/tensor-ops';
import { dispose, type Tensor, type Tensor1D, tensor, tensor1d, tensor2d, tidy } from '@tensorflow/tfjs-core';
import { beforeAll, expect, test } from 'vitest';
import { Seq2Seq, train, translateBatch, useBackend } from '../index.js';
import { batchOf, copyBatches, sequences } from '../testing/copy-task.js';
import { CopyOutput } from './copy-output.js';
import type { OutputRows } from './output.js';

let output: CopyOutput;
let rows: OutputRows;
let targets: Tensor1D;
beforeAll(async () => {
  await useBackend();
  output = new CopyOutput({ featureSize: 3, vocabulary: 6, seed: 1 });
  rows = {
    features: tensor2d([0.5, -1, 2, 1, 0, -1, 0.2, 0.1, 0, -2, 1, 1], [4, 3]),
    weights: tensor2d([0.7, 0.2, 0.1, 0.1, 0.1, 0.8, 0.5, 0.5, 0, 0.1, 0.9, 0], [4, 3]),
    source: tensor2d([4, 5, 4, 5, 3, 0], [2, 3], 'int32'),
  };
  targets = tensor1d([4, 1, -1, 3], 'int32');
});

const numbers = (make: () => Tensor): number[] => {
  const made = tidy(make);
  const read = [...made.dataSync()];
  made.dispose();
  return read;
};

test('probabilities are the gated mixture of both ways to a token, and sum to one', () => {
  const scores = numbers(() => output.logProbabilities(rows)).map(Math.exp);
  const gate = gateOf(0);
  const plain = numbers(() =>
    output.logProbabilities({ ...rows, weights: tensor2d(new Float32Array(12), [4, 3]) }),
  ).map(Math.exp);
  const sumOf = (all: number[], row: number) => all.slice(6 * row, 6 * row + 6).reduce((a, b) => a + b, 0);
  for (const row of [0, 1, 2, 3]) expect(sumOf(scores, row)).toBeCloseTo(1, 5);
  expect(sumOf(plain, 0)).toBeCloseTo(gate, 5);
  expect(scores[4]! - plain[4]!).toBeCloseTo((1 - gate) * 0.8, 5); // 4 stands at two source places: 0.7 + 0.1
  expect(scores[5]! - plain[5]!).toBeCloseTo((1 - gate) * 0.2, 5);
  expect(scores[18 + 3]! - plain[18 + 3]!).toBeCloseTo((1 - gateOf(3)) * 0.9, 5); // rows 2 and 3 belong to the second source
});

function gateOf(row: number): number {
  const parameters = output.namedParameters();
  const weight = parameters.get('gate.weight')!.dataSync();
  const bias = parameters.get('gate.bias')!.dataSync()[0]!;
  const features = rows.features.dataSync();
  const sum = [0, 1, 2].reduce((total, i) => total + weight[i]! * features[3 * row + i]!, bias);
  return 1 / (1 + Math.exp(-sum));
}

test('the loss is −log P of the real targets', () => {
  const scores = numbers(() => output.logProbabilities(rows));
  const expected = -(scores[4]! + scores[6 + 1]! + scores[18 + 3]!);
  expect(numbers(() => output.loss(rows, targets, { labelSmoothing: 0, divisor: 1 }))[0]).toBeCloseTo(expected, 4);
  expect(numbers(() => output.loss(rows, targets, { labelSmoothing: 0, divisor: 3 }))[0]).toBeCloseTo(expected / 3, 4);
  const scored = tidy(() => output.score(rows, targets) as never) as { loss: number; rows: number };
  expect(scored.loss).toBeCloseTo(expected, 4);
  expect(scored.rows).toBe(3);
});

test('gradients agree with finite differences', () => {
  const parameters = output.parameters();
  const { value, gradients } = valueAndGradients(
    () => output.loss(rows, targets, { labelSmoothing: 0.1, divisor: 2 }),
    parameters,
  );
  for (const [i, parameter] of parameters.entries()) {
    const start = parameter.dataSync().slice();
    for (const at of [0, parameter.size - 1]) {
      const shifted = (by: number) => {
        const moved = start.slice();
        moved[at]! += by;
        tidy(() => parameter.assign(tensor(moved as Float32Array, parameter.shape)));
        return numbers(() => output.loss(rows, targets, { labelSmoothing: 0.1, divisor: 2 }))[0]!;
      };
      const slope = (shifted(1e-2) - shifted(-1e-2)) / 2e-2;
      shifted(0);
      expect(gradients[i]!.dataSync()[at]).toBeCloseTo(slope, 2);
    }
  }
  dispose([value, ...gradients]);
});

test('a copy says what the map makes of the source id: <unk> where the target side has no such token', () => {
  const mapped = new CopyOutput({ featureSize: 3, vocabulary: 6, seed: 1, copyMap: [0, 1, 2, 1, 5, 1] });
  mapped.loadStateDict(output.stateDict());
  const scores = numbers(() => mapped.logProbabilities(rows)).map(Math.exp);
  const plain = numbers(() =>
    mapped.logProbabilities({ ...rows, weights: tensor2d(new Float32Array(12), [4, 3]) }),
  ).map(Math.exp);
  const copied = (row: number, id: number) => (scores[6 * row + id]! - plain[6 * row + id]!) / (1 - gateOf(row));
  // sources 4 5 4 and 5 3 <pad>: 4 is 5 on the other side, 5 and 3 are unknown there
  for (const [row, id, share] of [
    [0, 5, 0.8],
    [0, 1, 0.2],
    [0, 4, 0],
    [3, 1, 1],
  ] as const) {
    expect(copied(row, id)).toBeCloseTo(share, 4);
  }
  const wanted = tensor1d([5, 1, -1, 1], 'int32');
  const all = numbers(() => mapped.logProbabilities(rows));
  const expected = -(all[5]! + all[6 + 1]! + all[18 + 1]!);
  expect(numbers(() => mapped.loss(rows, wanted, { labelSmoothing: 0, divisor: 1 }))[0]).toBeCloseTo(expected, 4);
  mapped.dispose();
});

test('over two vocabularies, words that the target side lacks come as <unk> at their place in the source', async () => {
  // source ids 4 to 13 are 4 to 9 in reverse on the target side, the last four are unknown there
  const copyMap = [0, 1, 2, 3, 9, 8, 7, 6, 5, 4, 1, 1, 1, 1];
  const model = Seq2Seq.create({
    encoder: { hiddenSize: 24, bidirectional: true },
    decoder: { kind: 'bahdanau', copy: true, coverage: true },
    sourceVocabulary: 14,
    targetVocabulary: 10,
    copyMap,
  });
  const task = { symbols: 10, shortest: 3, longest: 5 };
  const pairs = (ids: number[]): [number[], number[]] => [ids, ids.map((id) => copyMap[id]!)];
  const data = (epoch: number) =>
    Array.from({ length: 30 }, (_, i) => batchOf(sequences(16, { ...task, seed: 1000 * epoch + i }).map(pairs)));
  const options = { steps: 200, optimizer: { learningRate: 1e-2 }, schedule: { name: 'cosine' } } as const;
  for await (const _ of train(model, data, options));
  const unseen = sequences(60, { ...task, seed: 99_999 });
  const found = await translateBatch(model, unseen);
  const restored = found.map(([best], i) =>
    best!.tokens.map((token, t) => (token === 1 ? unseen[i]![best!.positions[t]!]! : copyMap.indexOf(token))),
  );
  const exact = restored.filter((ids, i) => ids.join() === unseen[i]!.join()).length;
  expect(exact / unseen.length).toBeGreaterThan(0.9);
  model.dispose();
}, 120_000);

test('a model that may copy learns to copy symbols it has hardly seen', async () => {
  const model = Seq2Seq.create({
    encoder: { hiddenSize: 24, bidirectional: true },
    decoder: { kind: 'bahdanau', copy: true, coverage: true },
    sourceVocabulary: 30,
    targetVocabulary: 30,
  });
  const task = { symbols: 26, shortest: 3, longest: 5, seed: 1 };
  const data = (epoch: number) => copyBatches(30, 16, { ...task, seed: 1000 * epoch });
  const options = { steps: 150, optimizer: { learningRate: 1e-2 }, schedule: { name: 'cosine' } } as const;
  for await (const _ of train(model, data, options));
  const unseen = sequences(60, { ...task, seed: 99_999 });
  const found = await translateBatch(model, unseen);
  const exact = found.filter(([best], i) => best!.tokens.join() === unseen[i]!.join()).length;
  expect(exact / unseen.length).toBeGreaterThan(0.9);
  model.dispose();
}, 120_000);
