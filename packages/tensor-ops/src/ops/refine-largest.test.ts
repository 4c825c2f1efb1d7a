import '@tensorflow/tfjs-backend-cpu';
import { grad, setBackend, sum, type Tensor, tensor1d, tensor2d, tidy } from '@tensorflow/tfjs-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { useBackend } from '../backend.js';
import { linearReference } from '../reference/linear.js';
import { refineLargestReference } from '../reference/refine-largest.js';
import { expectClose, expectNoTensorsLeft, forSizes, randomTensor } from '../testing/index.js';
import { refineLargest } from './refine-largest.js';

describe.each(['wasm', 'cpu'])('on %s', (backend) => {
  beforeAll(async () => {
    await useBackend();
    expect(await setBackend(backend)).toBe(true);
  });
  afterAll(() => setBackend('wasm'));

  test('equals the reference: the largest become the product, the others stay', () => {
    forSizes(
      'MIO',
      ({ M, I, O }, seed) =>
        tidy(() => {
          const [y, x, weight, bias] = [[M, O], [M, I], [O, I], [O]].map((shape, i) =>
            randomTensor(shape, seed + i),
          ) as [Tensor, Tensor, Tensor, Tensor];
          for (const count of [1, 3, 32]) {
            const expected = refineLargestReference(y, x, weight, bias, count);
            expectClose(refineLargest(y, x, weight, bias, count), expected, 1e-5);
            expectClose(
              refineLargest(y, x, weight, undefined, count),
              refineLargestReference(y, x, weight, undefined, count),
              1e-5,
            );
          }
        }),
      { runs: backend === 'wasm' ? 40 : 4, least: 1 },
    );
  });

  test('touches just so many, wherever they stand', () => {
    tidy(() => {
      const y = tensor2d([[1, 9, 2, 3, 8, 0, 7, 4, 5, 6, 0, 10]]);
      const refined = refineLargest(y, tensor2d([[0]]), tensor2d(new Float32Array(12), [12, 1]), undefined, 3);
      expect([...refined.dataSync()]).toEqual([1, 0, 2, 3, 0, 0, 7, 4, 5, 6, 0, 0]);
      expect(y.dataSync()[1]).toBe(9); // y is as it was
    });
  });

  test('of no more outputs than asked for, all are the product', () => {
    tidy(() => {
      const [y, x, weight, bias] = [
        randomTensor([2, 5], 1),
        randomTensor([2, 3], 2),
        randomTensor([5, 3], 3),
        tensor1d([1, 2, 3, 4, 5]),
      ];
      expectClose(refineLargest(y, x, weight, bias, 9), linearReference(x, weight, bias), 1e-6);
    });
  });

  test('leaves one tensor behind, its result', () => {
    tidy(() => {
      const [y, x, weight] = [randomTensor([2, 50], 1), randomTensor([2, 3], 2), randomTensor([50, 3], 3)];
      expectNoTensorsLeft(() => refineLargest(y, x, weight, undefined, 4).dispose());
    });
  });

  test('refuses what does not fit, and to be recorded', () => {
    tidy(() => {
      const [y, x, weight] = [randomTensor([2, 5], 1), randomTensor([2, 3], 2), randomTensor([5, 3], 3)];
      expect(() => refineLargest(y, y, weight, undefined, 1)).toThrow(
        'the last axis of x must be 3; got x of shape [2,5]',
      );
      expect(() => refineLargest(x, x, weight, undefined, 1)).toThrow('y must be [2,5]; got [2,3]');
      expect(() => refineLargest(y, x, weight, tensor1d([1]), 1)).toThrow('bias must be [5]; got [1]');
      expect(() => refineLargest(y, x, weight, undefined, 0)).toThrow('count must be a whole number above 0; got 0');
      expect(() => grad((x: Tensor) => sum(refineLargest(y, x, weight, undefined, 1)))(x)).toThrow('has no gradient');
    });
  });
});
