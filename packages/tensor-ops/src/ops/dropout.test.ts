import { ones, scalar, slice, type Tensor, tensor2d, tidy } from '@tensorflow/tfjs-core';
import { beforeAll, expect, test } from 'vitest';
import { useBackend } from '../backend.js';
import type { DropoutKey } from '../nn/dropout-key.js';
import { dropoutReference } from '../reference/dropout.js';
import { expectClose, expectNoTensorsLeft, expectSame, forSizes, gradientsOf, randomTensor } from '../testing/index.js';
import { dropout } from './dropout.js';
import { dropoutMask } from './dropout-mask.js';

beforeAll(async () => {
  expect((await useBackend()).name).toBe('wasm');
});

const KEY: DropoutKey = { seed: 12345, step: 7, rowOffset: 3 };

test('makes the very mask the reference makes, forward and backward', () => {
  forSizes('BTH', ({ B, T, H }, seed) =>
    tidy(() => {
      const x = randomTensor([B, T, H], seed);
      for (const rate of [0.1, 0.5, 0.9]) {
        const key = { seed, step: seed * 3, rowOffset: seed % 50 };
        expectSame(
          (x) => dropout(x, rate, key, seed + 1),
          (x) => dropoutReference(x, rate, key, seed + 1),
          [x],
          0,
        );
      }
    }),
  );
});

test('drops the share it is told to, in every row and column', () => {
  const [rows, width] = [400, 1000];
  for (const rate of [0.1, 0.3, 0.5]) {
    const mask = tidy(() => dropout(ones([rows, width]), rate, KEY, 1).dataSync());
    const dropped = (filter: (r: number, c: number) => boolean) => {
      let [count, total] = [0, 0];
      for (let i = 0; i < mask.length; i++) {
        if (!filter(Math.floor(i / width), i % width)) continue;
        total++;
        if (mask[i] === 0) count++;
      }
      return (count / total - rate) / Math.sqrt((rate * (1 - rate)) / total); // in standard deviations
    };
    expect(Math.abs(dropped(() => true))).toBeLessThan(4);
    for (let n = 0; n < 20; n++) {
      expect(Math.abs(dropped((r) => r === n * 17))).toBeLessThan(4.5);
      expect(Math.abs(dropped((_, c) => c === n * 37))).toBeLessThan(4.5);
    }
    expect(new Set(mask)).toEqual(new Set([0, Math.fround(1 / (1 - rate))]));
  }
});

test('neighbours, rows, steps, streams and seeds are independent of each other', () => {
  const [rows, width, rate] = [64, 512, 0.5];
  const signs = (key: Partial<DropoutKey>, stream: number) =>
    dropoutMask(rows, width, rate, { ...KEY, ...key }, stream).map((v) => (v === 0 ? -1 : 1));
  const base = signs({}, 1);
  const correlation = (other: Float32Array, lag = 0) => {
    let total = 0;
    for (let i = 0; i + lag < base.length; i++) total += base[i + lag]! * other[i]!;
    return Math.abs(total) / Math.sqrt(base.length); // in standard deviations
  };
  for (const lag of [1, 2, 3, 4, 5, 7, 8, 16, 32, 64, 128, 256, width, 2 * width, 7 * width]) {
    expect(correlation(base, lag), `lag ${lag}`).toBeLessThan(4.5);
  }
  const others = [
    ...[8, 9, 15, 7 + 2 ** 20, 7 + 2 ** 32].map((step) => signs({ step }, 1)),
    ...[12344, 12346, 0, -12345, 12345 + 2 ** 32].map((seed) => signs({ seed }, 1)),
    ...[0, 2, 3, -1, 1 + 2 ** 31].map((stream) => signs({}, stream)),
    signs({ rowOffset: 1000 }, 1),
    signs({ seed: 7, step: 12345 }, 1),
    signs({ seed: 1, step: 7 }, 12345),
  ];
  for (const [i, other] of others.entries()) expect(correlation(other), `other ${i}`).toBeLessThan(4.5);
});

test('pairs of neighbours are evenly spread over the four outcomes', () => {
  const [rows, width] = [100, 999];
  const mask = dropoutMask(rows, width, 0.5, KEY, 9);
  for (const lag of [1, 2, 4, width]) {
    const counts = [0, 0, 0, 0];
    const total = mask.length - lag;
    for (let i = 0; i < total; i++) counts[(mask[i] === 0 ? 0 : 1) + (mask[i + lag] === 0 ? 0 : 2)]!++;
    const chiSquare = counts.reduce((sum, count) => sum + (count - total / 4) ** 2 / (total / 4), 0);
    expect(chiSquare).toBeLessThan(20); // three degrees of freedom: p below 0.0002
  }
});

test('a batch in parts has the masks of the whole batch', () => {
  tidy(() => {
    const x = ones([6, 5, 3]);
    const whole = dropout(x, 0.4, KEY, 2);
    const part = dropout(ones([2, 5, 3]), 0.4, { ...KEY, rowOffset: KEY.rowOffset + 4 }, 2);
    expectClose(part, slice(whole, [4, 0, 0]), 0);
  });
});

test('more padding at the end of a row leaves the mask before it as it was', () => {
  tidy(() => {
    const [short, long] = [dropout(ones([3, 4, 5]), 0.4, KEY, 2), dropout(ones([3, 9, 5]), 0.4, KEY, 2)];
    expectClose(short, slice(long, [0, 0, 0], [3, 4, 5]), 0);
  });
});

test('the mask is pinned: other machines and later versions give the same', () => {
  const kept = [...dropoutMask(2, 16, 0.5, { seed: 1, step: 2, rowOffset: 3 }, 4)].map((v) => (v === 0 ? 0 : 1));
  expect(kept.join('')).toBe('01001010101011111000110010011011');
});

test('a dropped NaN or Infinity is zero', () => {
  tidy(() => {
    const x = tensor2d(new Array(64).fill(Number.NaN), [1, 64]);
    const y = [...dropout(x, 0.5, KEY, 1).dataSync()];
    expect(y.some((v) => v === 0)).toBe(true);
  });
});

test('at rate 0 nothing changes; rates outside [0, 1) and scalars are refused', () => {
  tidy(() => {
    const x = randomTensor([3, 4], 1);
    expectClose(dropout(x, 0, KEY, 1), x, 0);
    expect(() => dropout(x, 1, KEY, 1)).toThrow('dropout: rate must be in [0, 1); got 1');
    expect(() => dropout(scalar(1), 0.5, KEY, 1)).toThrow('dropout: x must have a first axis of rows; got a scalar');
  });
});

test('leaves no tensors behind', () => {
  const x = randomTensor([3, 4], 1);
  expectNoTensorsLeft(() => {
    dropout(x, 0.5, KEY, 1).dispose();
    for (const gradient of gradientsOf((x: Tensor) => dropout(x, 0.5, KEY, 1), [x])) gradient.dispose();
  });
});
