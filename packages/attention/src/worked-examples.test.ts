// The examples of the course notes, small enough to follow by hand. Where the notes' own arithmetic is off, the numbers here
// are the right ones for the notes' matrices.
import { additiveAttention } from '@seqloom/tensor-ops';
import { reshape, sum, tensor1d, tensor2d, tensor3d } from '@tensorflow/tfjs-core';
import { beforeAll, describe, expect, test } from 'vitest';
import { expectClose, randomTensor } from '../../tensor-ops/src/testing/index.js';
import { AdditiveAttention, dotProductAttention, scaledDotProductAttention, useBackend } from './index.js';

beforeAll(async () => {
  expect((await useBackend()).name).toBe('wasm');
});

describe('additive attention: one decoder state, three encoder states', () => {
  const encoded = [
    [0.2, 0.5],
    [0.3, 0.1],
    [-0.1, 0.4],
  ];
  const state = [0.6, -0.2];
  const w1 = [
    [0.1, 0.2],
    [0.3, 0.4],
  ];
  const w2 = [
    [0.5, 0.6],
    [0.7, 0.8],
  ];
  const v = [1, 2];

  test('the scores are 1.526730, 0.968749 and 0.879718', () => {
    const times = (matrix: number[][], x: number[]) => matrix.map((row) => row[0]! * x[0]! + row[1]! * x[1]!);
    const query = times(w1, state);
    // A fourth key, the query's opposite, has score 0, so that a weight over its weight is e^score.
    const keys = [...encoded.map((h) => times(w2, h)), query.map((x) => -x)];
    const values = tensor3d([[...encoded, [0, 0]]]);
    const { weights } = additiveAttention(tensor2d([query]), tensor3d([keys]), tensor1d(v), values);
    const [a, b, c, zero] = weights.dataSync();
    const scores = [a, b, c].map((weight) => Math.log(weight! / zero!));
    expectClose(scores, [1.52673, 0.968749, 0.879718], 1e-6);
  });

  test('the weights are 0.477106, 0.273078, 0.249816 and the context is [0.152363, 0.365787]', () => {
    const attention = new AdditiveAttention({ querySize: 2, memorySize: 2, hiddenSize: 2, seed: 1 });
    attention.loadStateDict(
      new Map([
        ['query.weight', { shape: [2, 2], data: Float32Array.from(w1.flat()) }],
        ['memory.weight', { shape: [2, 2], data: Float32Array.from(w2.flat()) }],
        ['score.v', { shape: [2], data: Float32Array.from(v) }],
      ]),
    );
    const { context, weights } = attention.attend(tensor2d([state]), attention.project(tensor3d([encoded])));
    expectClose(weights, tensor2d([[0.477106, 0.273078, 0.249816]]), 1e-6);
    expectClose(context, tensor2d([[0.152363, 0.365787]]), 1e-6);
  });
});

describe('dot-product attention of x1 [2,3,4] to x2 [2,5,4]', () => {
  test('each of the 3 positions has 5 weights that sum to one, and a context as wide as x2', () => {
    const [x1, x2] = [randomTensor([2, 3, 4], 1), randomTensor([2, 5, 4], 2)];
    const { context, weights } = dotProductAttention(x1, x2, x2);
    expect(weights.shape).toEqual([2, 3, 5]);
    expect(context.shape).toEqual([2, 3, 4]);
    expectClose(sum(weights, -1), tensor2d(Array(2).fill([1, 1, 1])), 1e-6);
  });
});

describe('three words, and a query for each word to come', () => {
  const words = () => randomTensor([1, 3, 128], 3); // keys and values V1, V2, V3
  const queries = () => randomTensor([1, 3, 128], 4); // Q1, Q2, Q3

  test('different queries weigh the same words differently', () => {
    const { weights } = scaledDotProductAttention(queries(), words(), words());
    const [first, second, third] = (weights.arraySync() as number[][][])[0]!;
    for (const [a, b] of [
      [first, second],
      [second, third],
      [first, third],
    ] as [number[], number[]][]) {
      expect(Math.max(...a.map((x, i) => Math.abs(x - b[i]!)))).toBeGreaterThan(0.01);
    }
  });

  test('each context C_t is the sum of the words under its weights', () => {
    const { context, weights } = scaledDotProductAttention(queries(), words(), words());
    const [alpha, value] = [weights.dataSync(), words().dataSync()];
    const expected = Float32Array.from({ length: 3 * 128 }, (_, at) => {
      const [t, i] = [Math.floor(at / 128), at % 128];
      return [0, 1, 2].reduce((total, s) => total + alpha[3 * t + s]! * value[128 * s + i]!, 0);
    });
    expectClose(reshape(context, [-1]), expected, 1e-6);
  });

  test('one query at a time gives what all three give at once', () => {
    const together = scaledDotProductAttention(queries(), words(), words());
    const q1 = reshape(queries(), [3, 128]).arraySync() as number[][];
    for (const [t, row] of q1.entries()) {
      const alone = scaledDotProductAttention(tensor2d([row]), words(), words());
      expect(alone.weights.shape).toEqual([1, 3]);
      expectClose(alone.context, (together.context.arraySync() as number[][][])[0]![t]!, 1e-6);
    }
  });
});
