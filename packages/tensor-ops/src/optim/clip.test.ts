import { tensor1d } from '@tensorflow/tfjs-core';
import { beforeAll, expect, test } from 'vitest';
import { useBackend } from '../backend.js';
import { expectClose, expectNoTensorsLeft, randomTensor } from '../testing/index.js';
import { clipByGlobalNorm, globalNorm } from './clip.js';

beforeAll(async () => {
  expect((await useBackend()).name).toBe('wasm');
});

test('the norm is that of all elements together', () => {
  for (const n of [0, 1, 3, 4, 5, 8, 101]) {
    const [x, y] = [randomTensor([n], 1), randomTensor([3, 2], 2)];
    const squares = [...x.dataSync(), ...y.dataSync()].reduce((total, v) => total + v * v, 0);
    expect(globalNorm([x, y])).toBeCloseTo(Math.sqrt(squares), 6);
  }
});

test('clips a part by the norm of the whole', () => {
  const part = tensor1d([3, 4]);
  expect(clipByGlobalNorm([part], 5, 10)).toBe(10);
  expectClose(part, [1.5, 2], 1e-6);
  part.dispose();
});

test('scales down to the largest norm, and returns the norm before', () => {
  const gradients = [tensor1d([3, 0]), tensor1d([0, 4, 0])];
  expect(clipByGlobalNorm(gradients, 1)).toBe(5);
  expectClose(gradients[0]!, [0.6, 0]);
  expectClose(gradients[1]!, [0, 0.8, 0]);
});

test('leaves smaller gradients as they are', () => {
  const gradients = [tensor1d([0.1, 0.2])];
  const before = gradients[0]!.dataSync();
  clipByGlobalNorm(gradients, 1);
  expect(gradients[0]!.dataSync()).toEqual(before);
});

test('does not overflow for gradients near the largest float', () => {
  const gradients = [tensor1d([3e38, 3e38])];
  expect(clipByGlobalNorm(gradients, 1)).toBeCloseTo(Math.SQRT2 * 3e38, -34);
  expectClose(gradients[0]!, [Math.SQRT1_2, Math.SQRT1_2]);
});

test('reports NaN and Infinity as they are and touches nothing', () => {
  const gradients = [tensor1d([1, Number.NaN]), tensor1d([7])];
  expect(clipByGlobalNorm(gradients, 1)).toBeNaN();
  expect(gradients[1]!.dataSync()[0]).toBe(7);
  expect(clipByGlobalNorm([tensor1d([Number.NEGATIVE_INFINITY])], 1)).toBe(Number.POSITIVE_INFINITY);
});

test('refuses a norm that is not above zero', () => {
  expect(() => clipByGlobalNorm([], 0)).toThrow('clipByGlobalNorm: maxNorm must be above 0; got 0');
});

test('leaves no tensors behind', () => {
  const gradients = [randomTensor([5], 1)];
  expectNoTensorsLeft(() => clipByGlobalNorm(gradients, 0.1));
});

test('refuses gradients that are not of floats', () => {
  const gradients = [tensor1d([1]), tensor1d([3, 4], 'int32')];
  expect(() => globalNorm(gradients)).toThrow('globalNorm: gradient 1 must be of floats; got int32 [2]');
  for (const norm of [undefined, 5])
    expect(() => clipByGlobalNorm(gradients, 1, norm)).toThrow('clipByGlobalNorm: gradient 1 must be of floats');
});
