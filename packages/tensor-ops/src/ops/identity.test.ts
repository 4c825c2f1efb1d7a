import { clone, type Tensor2D, tensor2d, tidy, variable } from '@tensorflow/tfjs-core';
import { beforeAll, expect, test } from 'vitest';
import { useBackend } from '../backend.js';
import { expectNoTensorsLeft } from '../testing/index.js';

beforeAll(async () => {
  expect((await useBackend()).name).toBe('wasm');
});

test('a clone outlives what it was cloned from, and shares its memory', () => {
  expectNoTensorsLeft(() => {
    const x = tensor2d([[1, 2, 3]]);
    const y = clone(x);
    expect(y.dataId).toBe(x.dataId);
    x.dispose();
    expect([...y.dataSync()]).toEqual([1, 2, 3]);
    y.dispose();
  });
});

test('a clone keeps its values when a variable is assigned others', () => {
  const weight = variable(tensor2d([[1, 2]]));
  tidy(() => {
    const before = clone(weight) as Tensor2D;
    weight.assign(tensor2d([[3, 4]]));
    expect([...before.dataSync()]).toEqual([1, 2]);
  });
  weight.dispose();
});
