import { expect, test } from 'vitest';
import { reversedNumbers } from './reverse.js';

const parts = { train: [...reversedNumbers('train', 1)], test: [...reversedNumbers('test', 1)] };
const lengths = (pairs: readonly { source: string }[]) => pairs.map(({ source }) => source.split(' ').length);

test('the target is the source backwards', () => {
  for (const { source, target } of parts.test) expect(target.split(' ').reverse().join(' ')).toBe(source);
});

test('lengths and numbers are uniform in their ranges, longer outside training', () => {
  expect(parts.train).toHaveLength(50_000);
  expect(parts.test).toHaveLength(1000);
  const average = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
  expect([Math.min(...lengths(parts.test)), Math.max(...lengths(parts.test))]).toEqual([1, 30]);
  expect(lengths(parts.train).reduce((a, b) => Math.max(a, b), 0)).toBe(25);
  expect(average(lengths(parts.train))).toBeCloseTo(13, 0);
  const numbers = parts.test.flatMap(({ source }) => source.split(' ').map(Number));
  expect([Math.min(...numbers), Math.max(...numbers)]).toEqual([0, 49]);
  expect(Math.abs(average(numbers) - 24.5)).toBeLessThan(0.5);
});

test('a seed gives the same pairs again, other parts and seeds give others', () => {
  expect([...reversedNumbers('test', 1)]).toEqual(parts.test);
  expect([...reversedNumbers('test', 2)]).not.toEqual(parts.test);
  expect([...reversedNumbers('valid', 1)]).not.toEqual(parts.test);
});
