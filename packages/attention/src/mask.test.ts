import { expandDims } from '@tensorflow/tfjs-core';
import { beforeAll, expect, test } from 'vitest';
import { causalMask, combineMasks, lengthMask, useBackend, windowMask } from './index.js';

beforeAll(async () => {
  await useBackend();
});

test('lengthMask is true before each length and false after it', () => {
  expect(lengthMask([3, 0, 4], 4).arraySync()).toEqual([
    [1, 1, 1, 0],
    [0, 0, 0, 0],
    [1, 1, 1, 1],
  ]);
  expect(lengthMask([], 4).shape).toEqual([0, 4]);
  expect(lengthMask([0, 0], 0).shape).toEqual([2, 0]);
  expect(() => lengthMask([5], 4)).toThrow('lengthMask: lengths must be whole numbers in [0, 4]; got 5 for row 0');
});

test('causalMask lets no position see a later one', () => {
  expect(causalMask(3).arraySync()).toEqual([
    [
      [1, 0, 0],
      [1, 1, 0],
      [1, 1, 1],
    ],
  ]);
});

test('windowMask keeps the given number of neighbours on each side', () => {
  expect(windowMask(4, { before: 1, after: 2 }).arraySync()).toEqual([
    [
      [1, 1, 1, 0],
      [1, 1, 1, 1],
      [0, 1, 1, 1],
      [0, 0, 1, 1],
    ],
  ]);
  expect(windowMask(3).arraySync()).toEqual([Array(3).fill([1, 1, 1])]);
  expect(() => windowMask(3, { before: -1 })).toThrow('windowMask: before must be a whole number, 0 or more; got -1');
});

test('combineMasks is true where all are, and serves every batch row and query', () => {
  const lengths = lengthMask([2, 3], 3);
  expect(combineMasks(lengths, causalMask(3), undefined).arraySync()).toEqual([
    [
      [1, 0, 0],
      [1, 1, 0],
      [1, 1, 0],
    ],
    [
      [1, 0, 0],
      [1, 1, 0],
      [1, 1, 1],
    ],
  ]);
  expect(combineMasks(lengths, lengthMask([1], 3)).arraySync()).toEqual([
    [1, 0, 0],
    [1, 0, 0],
  ]);
  expect(combineMasks(undefined)).toBeUndefined();
  expect(() => combineMasks(expandDims(expandDims(lengths, 0), 0))).toThrow('combineMasks: masks must be');
});
