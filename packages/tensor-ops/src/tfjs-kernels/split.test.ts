import { grad, mul, split, stack, sum, type Tensor, tensor, unstack } from '@tensorflow/tfjs-core';
import { beforeAll, expect, test } from 'vitest';
import { useBackend } from '../backend.js';

beforeAll(async () => {
  await useBackend();
});

const shape = [2, 3, 4];
const x = (dtype: 'float32' | 'int32' | 'bool') =>
  tensor(
    Int32Array.from({ length: 24 }, (_, i) => (dtype === 'bool' ? Number(i % 3 === 0) : i)),
    shape,
    dtype,
  );
const numbers = (part: Tensor) => [...part.dataSync()];

test.each(['float32', 'int32', 'bool'] as const)('unstack along every axis gives what indexing gives, %s', (dtype) => {
  const all = numbers(x(dtype));
  for (const [axis, count] of shape.entries()) {
    const found = unstack(x(dtype), axis);
    expect(found.length).toBe(count);
    for (const [i, part] of found.entries()) {
      expect(part.shape).toEqual(shape.filter((_, a) => a !== axis));
      expect(part.dtype).toBe(dtype);
      const expected = all.filter((_, at) => [Math.floor(at / 12), Math.floor(at / 4) % 3, at % 4][axis] === i);
      expect(numbers(part)).toEqual(expected);
    }
  }
});

test('split takes sizes, one of them open, and equal parts', () => {
  const [a, b] = split(x('float32'), [1, -1], 2);
  expect(a!.shape).toEqual([2, 3, 1]);
  expect(numbers(a!)).toEqual([0, 4, 8, 12, 16, 20]);
  expect(numbers(b!).slice(0, 6)).toEqual([1, 2, 3, 5, 6, 7]);
  expect(split(x('float32'), 2, 0).map(numbers)[1]).toEqual([12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23]);
});

test('the gradient goes back to where each part came from', () => {
  const gradient = grad((y: Tensor) => {
    const [first, , last] = unstack(y, 1) as [Tensor, Tensor, Tensor];
    return sum(stack([mul(first, 2), mul(last, 3)]));
  })(x('float32'));
  expect(numbers(gradient)).toEqual([0, 1].flatMap(() => [2, 2, 2, 2, 0, 0, 0, 0, 3, 3, 3, 3]));
});

test('parts without elements are allowed', () => {
  expect(split(x('float32'), [0, 3], 1).map((part) => part.shape)).toEqual([
    [2, 0, 4],
    [2, 3, 4],
  ]);
  expect(unstack(tensor([], [2, 0]), 0).map((part) => part.shape)).toEqual([[0], [0]]);
});
