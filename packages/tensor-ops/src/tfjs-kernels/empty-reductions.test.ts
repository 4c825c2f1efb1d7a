import { all, any, cast, fill, max, mean, min, prod, sum, type Tensor, tidy, zeros } from '@tensorflow/tfjs-core';
import { expect, test } from 'vitest';
import { useBackend } from '../backend.js';
import { expectSameAsCpu } from '../testing/backends.js';
import { expectNoTensorsLeft, type Op } from '../testing/index.js';

const reductions: Record<string, (x: Tensor, axes?: number[], keepDims?: boolean) => Tensor> = {
  all: (x, axes, keepDims) => all(cast(x, 'bool'), axes, keepDims),
  any: (x, axes, keepDims) => any(cast(x, 'bool'), axes, keepDims),
  max,
  mean,
  min,
  prod,
  sum,
  'sum of int32': (x, axes, keepDims) => sum(cast(x, 'int32'), axes, keepDims),
};

test.each(Object.keys(reductions))('%s of no elements is the cpu backend’s, whatever the heap held', async (name) => {
  const reduce = reductions[name]!;
  for (const [shape, axes] of [
    [[0], undefined],
    [[3, 4, 0], [2]],
    [[3, 0, 2, 5], [1]],
    [
      [3, 0, 2, 5],
      [1, 3],
    ],
    [[3, 0, 2, 5], undefined],
    [[0, 4], [1]],
  ] as [number[], number[] | undefined][]) {
    for (const keepDims of [false, true]) {
      await expectSameAsCpu(
        ((x: Tensor) => reduce(x, axes, keepDims)) as Op,
        () => {
          for (let n = 1; n < 64; n++) fill([n], 7.5).dispose();
          return [zeros(shape)];
        },
        { gradients: false, what: `axes [${axes}] of [${shape}]` },
      );
    }
  }
});

test('reductions of no elements leave no tensors behind', async () => {
  await useBackend();
  expect(expectNoTensorsLeft(() => tidy(() => mean(zeros([2, 0]), 1).dataSync().length))).toBe(2);
});
