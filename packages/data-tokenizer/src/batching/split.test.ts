import { expect, test } from 'vitest';
import { shuffle } from './shuffle.js';
import { split } from './split.js';

const items = Array.from({ length: 100 }, (_, i) => i);
const sorted = (numbers: readonly number[]) => [...numbers].sort((a, b) => a - b);

test('a shuffle has the same items, and depends on the seed alone', () => {
  expect(sorted(shuffle(items, 1))).toEqual(items);
  expect(shuffle(items, 1)).toEqual(shuffle(items, 1));
  expect(shuffle(items, 1)).not.toEqual(shuffle(items, 2));
  expect(shuffle(items, 1)).not.toEqual(items);
  // Pinned: another order would silently change every experiment.
  expect(shuffle([0, 1, 2, 3, 4, 5, 6, 7], 7)).toEqual([5, 7, 1, 3, 0, 4, 2, 6]);
});

test('every place is equally likely for every item', () => {
  const counts = new Map<number, number>();
  for (let seed = 0; seed < 3000; seed++) {
    const at = shuffle([0, 1, 2], seed).indexOf(0);
    counts.set(at, (counts.get(at) ?? 0) + 1);
  }
  for (const count of counts.values()) expect(Math.abs(count - 1000)).toBeLessThan(100);
});

test('a split has every item once, parts of the sizes asked for, in the items’ order', () => {
  for (const sizes of [
    { valid: 10, test: 20 },
    { valid: 0.1, test: 0.2 },
  ]) {
    const { train, valid, test: held } = split(items, { ...sizes, seed: 3 });
    expect([train.length, valid.length, held.length]).toEqual([70, 10, 20]);
    expect(sorted([...train, ...valid, ...held])).toEqual(items);
    expect(train).toEqual(sorted(train));
    expect(held).toEqual(sorted(held));
  }
});

test('another seed gives another split, the same seed the same', () => {
  expect(split(items, { test: 10, seed: 1 })).toEqual(split(items, { test: 10, seed: 1 }));
  expect(split(items, { test: 10, seed: 1 }).test).not.toEqual(split(items, { test: 10, seed: 2 }).test);
});

test('items with equal keys stay together', () => {
  const { train, valid, test: held } = split(items, { valid: 10, test: 10, seed: 5, by: (item) => String(item % 25) });
  const keys = [train, valid, held].map((part) => new Set(part.map((item) => item % 25)));
  expect(keys.reduce((sum, part) => sum + part.size, 0)).toBe(25);
  expect([valid.length, held.length]).toEqual([12, 12]);
});

test('a split that leaves nothing, or is no size, is refused', () => {
  expect(() => split(items, { test: 100, seed: 1 })).toThrow(
    'split: valid and test must leave items to train on; got 0 + 100 of 100',
  );
  expect(() => split(items, { test: 1.5, seed: 1 })).toThrow(
    'split: test must be a share in [0, 1) or a whole number; got 1.5',
  );
});
