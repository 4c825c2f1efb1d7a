import { clipByValue, exp, type Tensor, tanh, tensor1d, tidy } from '@tensorflow/tfjs-core';
import { beforeAll, expect, test } from 'vitest';
import { useBackend } from '../backend.js';

beforeAll(async () => {
  expect((await useBackend()).name).toBe('wasm');
});

const values = (run: (x: Tensor) => Tensor, xs: number[]): number[] => tidy(() => [...run(tensor1d(xs)).dataSync()]);
const between = (low: number, high: number, n: number) =>
  Array.from({ length: n }, (_, i) => Math.fround(low + ((high - low) * i) / (n - 1)));

test.each([
  ['exp', exp, Math.exp, 2e-7, between(-87, 88.7, 5003)],
  ['exp near zero', exp, Math.exp, 2e-7, between(-1e-3, 1e-3, 1001)],
  ['tanh', tanh, Math.tanh, 4e-7, between(-9, 9, 5003)],
  ['tanh near zero', tanh, Math.tanh, 4e-7, between(-1e-4, 1e-4, 1001)],
] as const)('%s: the relative error stays below its bound', (_, run, truth, bound, xs) => {
  const ys = values(run as (x: Tensor) => Tensor, [...xs]);
  const worst = Math.max(...xs.map((x, i) => (truth(x) === 0 ? Math.abs(ys[i]!) : Math.abs(ys[i]! / truth(x) - 1))));
  expect(worst).toBeLessThan(bound);
});

test.each([
  ['exp', exp, [0, -0, 89, 1000, Infinity, -104.5, -Infinity, NaN], [1, 1, Infinity, Infinity, Infinity, 0, 0, NaN]],
  ['tanh', tanh, [0, -0, 20, -20, Infinity, -Infinity, NaN], [0, -0, 1, -1, 1, -1, NaN]],
] as const)('%s: limits, signed zeros and NaN are exact', (_, run, xs, ys) => {
  expect(values(run as (x: Tensor) => Tensor, [...xs, ...xs])).toEqual([...ys, ...ys]); // vectors, and what is left over
  for (const [i, x] of xs.entries()) expect(values(run as (x: Tensor) => Tensor, [x])).toEqual([ys[i]]);
});

test('exp goes down into the subnormals', () => {
  const [y] = values(exp, [-100]);
  expect(Math.abs(y! - Math.exp(-100))).toBeLessThan(2e-45);
});

test('clipByValue keeps NaN', () => {
  expect(values((x) => clipByValue(x, -1, 2), [NaN, -5, 0, 7, NaN])).toEqual([NaN, -1, 0, 2, NaN]);
});
