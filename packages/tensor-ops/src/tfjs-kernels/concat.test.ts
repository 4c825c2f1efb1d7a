import { concat, grad, mul, sum, type Tensor, tensor } from '@tensorflow/tfjs-core';
import { beforeAll, expect, test } from 'vitest';
import { useBackend } from '../backend.js';

beforeAll(async () => {
  await useBackend();
});

const a = () => tensor([1, 2, 3, 4], [2, 2, 1]);
const b = () => tensor([5, 6, 7, 8], [2, 2, 1]);

test.each([
  [0, [1, 2, 3, 4, 5, 6, 7, 8]],
  [1, [1, 2, 5, 6, 3, 4, 7, 8]],
  [2, [1, 5, 2, 6, 3, 7, 4, 8]],
  [-1, [1, 5, 2, 6, 3, 7, 4, 8]],
])('tensors lie one after the other along axis %i', (axis, expected) => {
  expect([...concat([a(), b()], axis).dataSync()]).toEqual(expected);
});

test('sizes along the axis may differ and be none, and types are kept', () => {
  const three = concat([tensor([1, 2, 3, 4], [2, 2]), tensor([], [2, 0]), tensor([9, 8], [2, 1])], 1);
  expect([...three.dataSync()]).toEqual([1, 2, 9, 3, 4, 8]);
  const flags = concat([tensor([1, 0, 0], [1, 3], 'bool'), tensor([0, 1, 1], [1, 3], 'bool')], 1);
  expect(flags.dtype).toBe('bool');
  expect([...flags.dataSync()]).toEqual([1, 0, 0, 0, 1, 1]);
  expect(concat([tensor(['a'], [1]), tensor(['b', 'c'], [2])]).dataSync()).toEqual(['a', 'b', 'c']);
});

test('the gradient goes back to where each part came from', () => {
  const weights = tensor([1, 2, 3, 4, 5, 6, 7, 8], [2, 2, 2]);
  const gradient = grad((x: Tensor) => sum(mul(concat([a(), x], 2), weights)))(b());
  expect([...gradient.dataSync()]).toEqual([2, 4, 6, 8]);
});
