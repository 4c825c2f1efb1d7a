import {
  broadcastTo,
  getKernel,
  grad,
  mul,
  ones,
  square,
  sum,
  type Tensor,
  tensor,
  tidy,
  tile,
  zeros,
} from '@tensorflow/tfjs-core';
import { beforeAll, expect, test } from 'vitest';
import { useBackend } from '../backend.js';
import { expectNoTensorsLeft, forSizes, randomTensor } from '../testing/index.js';

beforeAll(async () => {
  expect((await useBackend()).name).toBe('wasm');
});

/** x repeated, element by element. */
function repeated(x: Tensor, reps: number[]): number[] {
  const values = x.dataSync();
  const shape = x.shape.map((size, axis) => size * reps[axis]!);
  const size = shape.reduce((product, n) => product * n, 1);
  return Array.from({ length: size }, (_, i) => {
    let [rest, from, stride] = [i, 0, 1];
    for (let axis = shape.length - 1; axis >= 0; axis--) {
      from += ((rest % shape[axis]!) % x.shape[axis]!) * stride;
      rest = Math.floor(rest / shape[axis]!);
      stride *= x.shape[axis]!;
    }
    return values[from]!;
  });
}

test('every element is where repetition puts it, for all sizes', () => {
  forSizes(
    'ABCD',
    ({ A, B, C, D }, seed) => {
      const shape = [[A], [1, A], [A, 1, 1], [1, 1, 1, A], [A, B, 1]][seed % 5]!;
      const reps = [B, C, D, A].slice(0, shape.length);
      expectNoTensorsLeft(() =>
        tidy(() => {
          const x = randomTensor(shape, seed);
          expect([...tile(x, reps).dataSync()]).toEqual(repeated(x, reps));
          expect(tile(x, reps).shape).toEqual(shape.map((size, axis) => size * reps[axis]!));
        }),
      );
    },
    { least: 1, most: 7 },
  );
});

test('types are kept, and nothing repeated is nothing', () => {
  const flags = tile(tensor([1, 0, 0], [1, 3], 'bool'), [2, 2]);
  expect(flags.dtype).toBe('bool');
  expect([...flags.dataSync()]).toEqual([1, 0, 0, 1, 0, 0, 1, 0, 0, 1, 0, 0]);
  expect([...tile(tensor([7, -1], [2], 'int32'), [2]).dataSync()]).toEqual([7, -1, 7, -1]);
  expect(() => tile(tensor(['a'], [1]), [2])).toThrow('strings');
  expect(tile(zeros([2, 0, 3]), [2, 2, 1]).shape).toEqual([4, 0, 3]);
});

test('what is repeated once is the same numbers in a tensor of its own', () => {
  const x = tensor([1, 2, 3]);
  const same = tile(x, [1]);
  x.dispose();
  expect([...same.dataSync()]).toEqual([1, 2, 3]);
  same.dispose();
});

test.each([
  [undefined, [3, 3, 3, 3, 3, 3]],
  [0, [1, 3, 5, 1, 3, 5]],
  [1, [2, 2, 2, 5, 5, 5]],
] as const)('the gradient of a sum over axis %s reaches every summand', (axis, expected) => {
  const weights = axis === undefined ? tensor(3) : axis === 0 ? tensor([1, 3, 5]) : tensor([2, 5]);
  const gradient = grad((x: Tensor) => sum(mul(sum(x, axis), weights)))(ones([2, 3]));
  expect(gradient.shape).toEqual([2, 3]);
  expect([...gradient.dataSync()]).toEqual([...expected]);
});

test('a sum has a second gradient, at any rank', () => {
  const inner = grad((x: Tensor) => square(sum(x)));
  const second = grad((x: Tensor) => sum(mul(inner(x), x)))(ones([1, 2, 1, 3, 1])); // of 2 (Σx)²
  expect([...second.dataSync()]).toEqual(Array(6).fill(24));
});

test('the gradient of a sum over nothing is nothing', () => {
  expect(grad((x: Tensor) => sum(x))(zeros([0, 3])).shape).toEqual([0, 3]);
});

test('broadcastTo is made of it', () => {
  expect(getKernel('Tile', 'wasm')).toBeDefined();
  expect([...broadcastTo(tensor([1, 2], [2, 1]), [2, 3]).dataSync()]).toEqual([1, 1, 1, 2, 2, 2]);
});
