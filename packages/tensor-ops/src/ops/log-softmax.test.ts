import { exp, scalar, tensor2d, tidy } from '@tensorflow/tfjs-core';
import { beforeAll, expect, test } from 'vitest';
import { useBackend } from '../backend.js';
import { logSoftmaxReference } from '../reference/log-softmax.js';
import {
  expectClose,
  expectFiniteDifferences,
  expectNoTensorsLeft,
  expectSame,
  forSizes,
  gradientsOf,
  randomTensor,
} from '../testing/index.js';
import { logSoftmax } from './log-softmax.js';
import { softmax } from './softmax.js';

beforeAll(async () => {
  expect((await useBackend()).name).toBe('wasm');
});

test('value and gradient equal the reference', () => {
  forSizes(
    'MN',
    ({ M, N }, seed) =>
      tidy(() => expectSame(logSoftmax, logSoftmaxReference, [randomTensor([M, N], seed, -10, 10)], 1e-5)),
    { least: 1 },
  );
});

test('the gradient equals finite differences', () => {
  tidy(() => expectFiniteDifferences(logSoftmax, [randomTensor([2, 5], 1)]));
});

test('its exponential is the softmax', () => {
  tidy(() => {
    const x = randomTensor([4, 9], 1, -5, 5);
    expectClose(exp(logSoftmax(x)), softmax(x), 1e-6);
  });
});

test('is stable for extreme numbers', () => {
  tidy(() => {
    const y = logSoftmax(tensor2d([1e4, 0, 1e4, Number.NEGATIVE_INFINITY, -1e4], [1, 5]));
    expectClose(y, [-Math.LN2, -1e4 - Math.LN2, -Math.LN2, Number.NEGATIVE_INFINITY, -2e4 - Math.LN2], 1e-6);
  });
});

test('a NaN or +Infinity anywhere makes its row NaN, in softmax too, and no other', () => {
  for (const bad of [Number.NaN, Number.POSITIVE_INFINITY]) {
    for (let n = 1; n <= 24; n++) {
      for (let at = 0; at < n; at++) {
        tidy(() => {
          const x = randomTensor([2, n], n).dataSync<'float32'>().slice();
          x[at] = bad;
          for (const op of [logSoftmax, softmax]) {
            const y = [...op(tensor2d(x, [2, n])).dataSync()];
            expect(y.map(Number.isNaN), `${bad} at ${at} of ${n}`).toEqual(y.map((_, i) => i < n));
          }
        });
      }
    }
  }
});

test('refuses a scalar', () => {
  tidy(() => {
    expect(() => logSoftmax(scalar(1))).toThrow('logSoftmax: x must have a last axis; got a scalar');
  });
});

test('leaves no tensors behind', () => {
  const x = randomTensor([2, 3], 1);
  expectNoTensorsLeft(() => {
    logSoftmax(x).dispose();
    for (const gradient of gradientsOf(logSoftmax, [x])) gradient.dispose();
  });
});
