import type { Tensor, Tensor1D, Tensor2D } from '@tensorflow/tfjs-core';
import { ones, tidy } from '@tensorflow/tfjs-core';
import { beforeAll, expect, test } from 'vitest';
import { useBackend } from '../backend.js';
import { linearReference } from '../reference/linear.js';
import {
  expectFiniteDifferences,
  expectNoTensorsLeft,
  expectSame,
  forSizes,
  type Op,
  randomTensor,
} from '../testing/index.js';
import { linear } from './linear.js';

beforeAll(async () => {
  expect((await useBackend()).name).toBe('wasm');
});

const ours = linear as Op;
const reference = linearReference as Op;
const inputs = (rows: number[], I: number, O: number, seed: number): Tensor[] => [
  randomTensor([...rows, I], seed),
  randomTensor([O, I], seed + 1),
  randomTensor([O], seed + 2),
];

test('equals the reference in every output and gradient, for all sizes', () => {
  forSizes('BMIO', ({ B, M, I, O }, seed) =>
    expectNoTensorsLeft(() => tidy(() => void expectSame(ours, reference, inputs([B, M], I, O, seed)))),
  );
});

test('equals the reference without a bias', () => {
  forSizes('MIO', ({ M, I, O }, seed) => tidy(() => expectSame(ours, reference, inputs([M], I, O, seed).slice(0, 2))));
});

test('finite differences agree', () => {
  tidy(() => expectFiniteDifferences(ours, inputs([3], 5, 4, 1)));
});

test('sizes beyond one block agree', () => {
  tidy(() => expectSame(ours, reference, inputs([50], 1030, 270, 3), 1e-3));
});

test('a weight that is no matrix is named', () => {
  tidy(() => {
    const x = randomTensor([4, 3], 1);
    expect(() => linear(x, randomTensor([3], 1))).toThrow('linear: weight must be [O, I]; got shape [3]');
  });
});

test('a wrong last axis is named', () => {
  tidy(() => {
    const [, weight] = inputs([1], 3, 2, 1) as [Tensor, Tensor2D, Tensor1D];
    expect(() => linear(ones([2, 3], 'int32'), weight)).toThrow('linear: x must be of floats; got int32 [2,3]');
    expect(() => linear(randomTensor([4, 5], 1), weight)).toThrow('linear: the last axis of x must be 3');
  });
});
