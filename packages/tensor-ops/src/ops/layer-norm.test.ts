import { add, fill, type Tensor, type Tensor1D, tensor1d, tidy } from '@tensorflow/tfjs-core';
import { beforeAll, expect, test } from 'vitest';
import { useBackend } from '../backend.js';
import { layerNormReference } from '../reference/layer-norm.js';
import {
  expectClose,
  expectFiniteDifferences,
  expectNoTensorsLeft,
  expectSame,
  forSizes,
  gradientsOf,
  randomTensor,
} from '../testing/index.js';
import { layerNorm } from './layer-norm.js';

beforeAll(async () => {
  expect((await useBackend()).name).toBe('wasm');
});

const op = (x: Tensor, weight: Tensor, bias: Tensor) => layerNorm(x, weight as Tensor1D, bias as Tensor1D);

test('value and gradients equal the reference', () => {
  forSizes(
    'BTH',
    ({ B, T, H }, seed) =>
      tidy(() => {
        const inputs = [randomTensor([B, T, H], seed, -3, 3), randomTensor([H], seed + 1), randomTensor([H], seed + 2)];
        const reference = (x: Tensor, weight: Tensor, bias: Tensor) =>
          layerNormReference(x, weight as Tensor1D, bias as Tensor1D, 1e-5);
        expectSame(op, reference, inputs, 2e-4);
      }),
    { least: 2, runs: 25 },
  );
});

test('the gradients equal finite differences', () => {
  tidy(() => expectFiniteDifferences(op, [randomTensor([2, 5], 1), randomTensor([5], 2), randomTensor([5], 3)]));
});

test('rows have mean bias and deviation weight, however large their mean', () => {
  tidy(() => {
    const x = add(randomTensor([3, 101], 1), 1000);
    const ones = Float32Array.from({ length: 101 }, () => 1);
    const y = layerNorm(x, tensor1d(ones), tensor1d(new Float32Array(101))).dataSync();
    for (let row = 0; row < 3; row++) {
      const values = [...y.slice(row * 101, row * 101 + 101)];
      const mean = values.reduce((total, v) => total + v) / 101;
      const variance = values.reduce((total, v) => total + (v - mean) ** 2, 0) / 101;
      expect(mean).toBeCloseTo(0, 3);
      expect(variance).toBeCloseTo(1, 3);
    }
  });
});

test('a row of equal numbers gives the bias', () => {
  tidy(() => {
    const bias = randomTensor([4], 1) as Tensor1D;
    const x = fill([1, 4], 3);
    expectClose(layerNorm(x, randomTensor([4], 2) as Tensor1D, bias), bias.dataSync(), 1e-6);
  });
});

test('refuses sizes that do not fit', () => {
  tidy(() => {
    const [x, four, three] = [randomTensor([2, 4], 1), randomTensor([4], 1), randomTensor([3], 1)];
    expect(() => op(x, four, three)).toThrow(
      'layerNorm: weight and bias must be [H] and x [..., H]; got [4], [3] and [2,4]',
    );
  });
});

test('leaves no tensors behind', () => {
  const inputs = [randomTensor([2, 4], 1), randomTensor([4], 2), randomTensor([4], 3)] as const;
  expectNoTensorsLeft(() => {
    op(...inputs).dispose();
    for (const gradient of gradientsOf(op, [...inputs])) gradient.dispose();
  });
});
