// What our kernels do with tensors that are not of floats, where tfjs lets them through.
import {
  clipByValue,
  concat,
  conv2dTranspose,
  einsum,
  fused,
  ones,
  type Tensor4D,
  tensor,
} from '@tensorflow/tfjs-core';
import { beforeAll, expect, test } from 'vitest';
import { useBackend } from '../backend.js';
import { expectSameAsCpu } from '../testing/backends.js';

beforeAll(async () => {
  expect((await useBackend()).name).toBe('wasm');
});

const ints = (values: number[], shape = [values.length]) => tensor(values, shape, 'int32');

test.each([
  ['floats and integers', () => [tensor([1.5, 2.5]), ints([3, 4])]],
  ['floats and truths', () => [ones([2]), ones([2], 'bool')]],
  ['truths and floats', () => [tensor([true, false]), tensor([1.5, 2.5])]],
  ['no integers and floats', () => [ints([]), tensor([1.5])]],
])('%s one after the other, as on the cpu backend', async (what, parts) => {
  await expectSameAsCpu(
    () => concat(parts()),
    () => [],
    { gradients: false, what },
  );
});

test('integers are multiplied, and where more is to be done they are refused', () => {
  const [a, b] = [ints([1, 2, 3, 4], [2, 2]), ints([1, 2, 3, -4], [2, 2])];
  expect([...fused.matMul({ a, b }).dataSync()]).toEqual([7, -6, 15, -10]);
  const refusal = 'fused matMul: a and b must be of floats where there is a bias or an activation; got int32';
  expect(() => fused.matMul({ a, b, activation: 'relu' })).toThrow(refusal);
  expect(() => fused.matMul({ a, b, bias: ints([10, 20]) })).toThrow(refusal);
});

test('the slopes of a parametric relu may be integers', () => {
  const [a, b, slopes] = [ones([2, 2]), tensor([-1, -1, 1, -1], [2, 2]), ints([2, 3])];
  const y = fused.matMul({ a, b, activation: 'prelu', preluActivationWeights: slopes });
  expect([...y.dataSync()]).toEqual([0, -6, 0, -6]);
});

test('truths add up to their number', async () => {
  await expectSameAsCpu(
    () => einsum('ij->j', ones([2, 3], 'bool')),
    () => [],
    { gradients: false },
  );
});

test('integers are clipped as numbers', async () => {
  for (const [least, most] of [
    [0, 3],
    [-1, 1],
    [-2.5, 2.5],
  ] as const) {
    await expectSameAsCpu(
      () => clipByValue(ints([-5, 1, 2, 9]), least, most),
      () => [],
      { gradients: false },
    );
  }
});

test('a transposed convolution takes integers as numbers', async () => {
  const transposed = () => {
    const [x, filter] = [tensor([1, 2, 3, 4], [1, 2, 2, 1]), ints([3, 5], [1, 1, 2, 1])];
    return conv2dTranspose(x as Tensor4D, filter as Tensor4D, [1, 2, 2, 2], 1, 'same');
  };
  await expectSameAsCpu(transposed, () => [], { gradients: false });
});
