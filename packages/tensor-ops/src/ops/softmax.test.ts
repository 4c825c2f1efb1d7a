import { greater, logicalAnd, ones, scalar, type Tensor, tensor2d, tidy, zeros } from '@tensorflow/tfjs-core';
import { beforeAll, expect, test } from 'vitest';
import { useBackend } from '../backend.js';
import { softmaxReference } from '../reference/softmax.js';
import {
  expectClose,
  expectFiniteDifferences,
  expectNoTensorsLeft,
  expectSame,
  forSizes,
  gradientsOf,
  randomTensor,
} from '../testing/index.js';
import { softmax } from './softmax.js';

beforeAll(async () => {
  expect((await useBackend()).name).toBe('wasm');
});

const randomMask = (shape: number[], seed: number): Tensor => greater(randomTensor(shape, seed), 0);

test('value and gradient equal the reference, masked and not', () => {
  forSizes(
    'BTS',
    ({ B, T, S }, seed) =>
      tidy(() => {
        const x = randomTensor([B, T, S], seed, -10, 10);
        expectSame(
          (x) => softmax(x),
          (x) => softmaxReference(x),
          [x],
          1e-6,
        );
        const mask = randomMask([B, T, S], seed + 1);
        expectSame(
          (x) => softmax(x, { mask }),
          (x) => softmaxReference(x, mask),
          [x],
          1e-6,
        );
      }),
    { least: 1, runs: 25 },
  );
});

test('the gradient equals finite differences, masked and not', () => {
  tidy(() => {
    const mask = tensor2d([1, 0, 1, 1, 1, 1, 1, 0, 0, 1], [2, 5], 'bool');
    expectFiniteDifferences((x) => softmax(x), [randomTensor([2, 5], 1)]);
    expectFiniteDifferences((x) => softmax(x, { mask }), [randomTensor([2, 5], 1)]);
  });
});

test('rows sum to one, and what is masked is exactly zero whatever stands there', () => {
  tidy(() => {
    const x = tensor2d([1, Number.NaN, 2, Number.POSITIVE_INFINITY, 3, 1e30, 4], [1, 7]);
    const mask = tensor2d([1, 0, 1, 0, 1, 0, 1], [1, 7], 'bool');
    const y = [...softmax(x, { mask }).dataSync()];
    expect([y[1], y[3], y[5]]).toEqual([0, 0, 0]);
    expect(y.reduce((total, v) => total + v)).toBeCloseTo(1, 6);
  });
});

test('a row without anything to take part is zero, and so is its gradient', () => {
  tidy(() => {
    const x = randomTensor([2, 6], 1);
    const mask = tensor2d([0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1], [2, 6], 'bool');
    expectClose([...softmax(x, { mask }).dataSync()].slice(0, 6), new Float32Array(6), 0);
    const [gradient] = gradientsOf((x) => softmax(x, { mask }), [x]);
    expectClose([...gradient!.dataSync()].slice(0, 6), new Float32Array(6), 0);
    const infinite = tensor2d(new Array(5).fill(Number.NEGATIVE_INFINITY), [1, 5]);
    expectClose(softmax(infinite), new Float32Array(5), 0);
  });
});

test('is stable for extreme numbers, exact zero for -Infinity, NaN for NaN', () => {
  tidy(() => {
    const x = tensor2d([1e38, -1e38, 1e38, Number.NEGATIVE_INFINITY, 0, 1e4, 1e4, 1e4, 1e4, 0], [2, 5]);
    expectClose(softmax(x), [0.5, 0, 0.5, 0, 0, 0.25, 0.25, 0.25, 0.25, 0], 1e-7);
    for (const other of [1, Number.NaN, Number.NEGATIVE_INFINITY]) {
      for (let at = 0; at < 5; at++) {
        const row = [0, 1, 2, 3, 4].map((i) => (i === at ? Number.NaN : other));
        expect([...softmax(tensor2d(row, [1, 5])).dataSync()].every(Number.isNaN)).toBe(true);
      }
    }
  });
});

test('a mask broadcasts over leading and single axes', () => {
  tidy(() => {
    const x = randomTensor([2, 3, 5], 1);
    for (const shape of [[5], [1, 5], [2, 1, 5], [3, 5], [2, 3, 1]]) {
      const mask = randomMask(shape, 5);
      const full = logicalAnd(mask, ones([2, 3, 5], 'bool'));
      expectClose(softmax(x, { mask }), softmax(x, { mask: full }), 0);
    }
  });
});

test('refuses a scalar, and masks that are not bool or do not broadcast', () => {
  tidy(() => {
    const x = randomTensor([2, 3], 1);
    expect(() => softmax(scalar(1))).toThrow('softmax: x must have a last axis; got a scalar');
    expect(() => softmax(x, { mask: randomTensor([2, 3], 1) })).toThrow('softmax: mask must be bool; got float32');
    expect(() => softmax(x, { mask: randomMask([2], 1) })).toThrow(
      'softmax: mask must broadcast to x of shape [2,3]; got [2]',
    );
  });
});

test('leaves no tensors behind', () => {
  const [x, mask] = [randomTensor([2, 3], 1), randomMask([3], 1)];
  expectNoTensorsLeft(() => {
    softmax(x, { mask }).dispose();
    for (const gradient of gradientsOf((x) => softmax(x, { mask }), [x])) gradient.dispose();
  });
});

test('integers are refused before a mask is spread over them', () => {
  const [x, mask] = [zeros([2, 3], 'int32'), ones([3], 'bool')];
  expectNoTensorsLeft(() =>
    expect(() => softmax(x, { mask })).toThrow('softmax: x must be of floats; got int32 [2,3]'),
  );
});
