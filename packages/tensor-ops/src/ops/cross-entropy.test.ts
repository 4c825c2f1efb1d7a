import { type Tensor, type Tensor1D, type Tensor2D, tensor, tensor1d, tensor2d, tidy } from '@tensorflow/tfjs-core';
import { beforeAll, expect, test } from 'vitest';
import { useBackend } from '../backend.js';
import { Random } from '../random.js';
import { crossEntropyReference } from '../reference/cross-entropy.js';
import {
  expectClose,
  expectFiniteDifferences,
  expectNoTensorsLeft,
  expectSame,
  forSizes,
  gradientsOf,
  randomTensor,
} from '../testing/index.js';
import { type CrossEntropyOptions, crossEntropy, planCrossEntropy } from './cross-entropy.js';

beforeAll(async () => {
  expect((await useBackend()).name).toBe('wasm');
});

const SETTINGS: CrossEntropyOptions[] = [
  {},
  { ignoreId: 0 },
  { ignoreId: -100, reduction: 'sum' },
  { ignoreId: -100, divisor: 7 },
  { ignoreId: 1, labelSmoothing: 0.1 },
  { labelSmoothing: 0.3, reduction: 'sum' },
];

test('value and gradient equal the reference, with every option', () => {
  forSizes(
    'NV',
    ({ N, V }, seed) =>
      tidy(() => {
        const logits = randomTensor([N, V], seed, -8, 8) as Tensor2D;
        for (const options of SETTINGS) {
          const targets = randomTargets(N, V, seed, options.ignoreId);
          const reference = (x: Tensor) =>
            crossEntropyReference(x as Tensor2D, targets, planCrossEntropy(targets, V, options, 'test'));
          expectSame((x) => crossEntropy(x as Tensor2D, targets, options), reference, [logits], 2e-5);
        }
      }),
    { least: 1, runs: 25 },
  );
});

test('the gradient equals finite differences', () => {
  tidy(() => {
    const targets = tensor1d([2, 0, 4], 'int32');
    const options = { ignoreId: 0, labelSmoothing: 0.1 };
    expectFiniteDifferences((x) => crossEntropy(x as Tensor2D, targets, options), [randomTensor([3, 5], 1)]);
  });
});

test('of equal logits it is log V', () => {
  tidy(() => {
    const [loss] = crossEntropy(tensor2d(new Float32Array(2 * 7), [2, 7]), tensor1d([3, 6], 'int32')).dataSync();
    expect(loss).toBeCloseTo(Math.log(7), 6);
  });
});

test('a divisor takes the place of the mean', () => {
  tidy(() => {
    const [logits, targets] = [randomTensor([3, 5], 1), tensor1d([3, 4, 0], 'int32')];
    const lossOf = (options: CrossEntropyOptions) => crossEntropy(logits, targets, options).dataSync()[0]!;
    expect(lossOf({ divisor: 7 })).toBeCloseTo(lossOf({ reduction: 'sum' }) / 7, 6);
    expect(() => lossOf({ divisor: 0 })).toThrow('crossEntropy: divisor must be above 0; got 0');
  });
});

test('is stable for extreme logits', () => {
  tidy(() => {
    const logits = tensor2d([1e4, -1e4, 0, 3e38, -3e38, 3e38, -1000, -1000, -1000], [3, 3]);
    const lossOf = (targets: number[]) =>
      crossEntropy(logits, tensor1d(targets, 'int32'), { reduction: 'sum' }).dataSync()[0];
    expect(lossOf([0, 0, 1])).toBeCloseTo(Math.log(2) + Math.log(3), 5);
    expect(lossOf([1, 0, 1])).toBeCloseTo(2e4 + Math.log(2) + Math.log(3), 1);
    const [gradient] = gradientsOf((x) => crossEntropy(x as Tensor2D, tensor1d([0, 0, 1], 'int32')), [logits]);
    expect([...(gradient as Tensor).dataSync()].every(Number.isFinite)).toBe(true);
  });
});

test('a logit of -Infinity is a class of probability zero', () => {
  tidy(() => {
    const logits = tensor2d([0, Number.NEGATIVE_INFINITY, 0], [1, 3]);
    const at = (id: number) => crossEntropy(logits, tensor1d([id], 'int32')).dataSync()[0];
    expect(at(0)).toBeCloseTo(Math.log(2), 6);
    expect(at(1)).toBe(Number.POSITIVE_INFINITY);
  });
});

test('ignored rows change nothing, even where they hold NaN', () => {
  tidy(() => {
    const real = randomTensor([2, 4], 3) as Tensor2D;
    const padded = tensor2d([...real.dataSync(), Number.NaN, 1, 2, 3], [3, 4]);
    const options = { ignoreId: 9, labelSmoothing: 0.1 };
    const [alone, together] = [
      crossEntropy(real, tensor1d([1, 3], 'int32'), options),
      crossEntropy(padded, tensor1d([1, 3, 9], 'int32'), options),
    ];
    expectClose(together, alone, 0);
    const [gradient] = gradientsOf((x) => crossEntropy(x as Tensor2D, tensor1d([1, 3, 9], 'int32'), options), [padded]);
    expect([...(gradient as Tensor).dataSync()].slice(8)).toEqual([0, 0, 0, 0]);
  });
});

test('is zero with zero gradient when every row is ignored', () => {
  tidy(() => {
    const logits = randomTensor([2, 3], 1) as Tensor2D;
    const loss = (x: Tensor) => crossEntropy(x as Tensor2D, tensor1d([0, 0], 'int32'), { ignoreId: 0 });
    expect(loss(logits).dataSync()[0]).toBe(0);
    expectClose(gradientsOf(loss, [logits])[0] as Tensor, new Float32Array(6), 0);
  });
});

test('refuses targets outside the classes, wrong shapes and wrong options', () => {
  tidy(() => {
    const logits = randomTensor([2, 3], 1) as Tensor2D;
    const of = (targets: number[], options?: CrossEntropyOptions) => () =>
      crossEntropy(logits, tensor1d(targets, 'int32'), options);
    expect(of([0, 3])).toThrow('crossEntropy: targets must be in [0, 3); got 3 at position 1');
    expect(of([-100, 0], { ignoreId: -1 })).toThrow('got -100 at position 0');
    expect(of([0])).toThrow('crossEntropy: logits must be [N, V] and targets [N]; got [2,3] and [1]');
    expect(of([0, 1], { labelSmoothing: 1 })).toThrow('crossEntropy: labelSmoothing must be in [0, 1); got 1');
  });
});

test('leaves no tensors behind, with and without a tape', () => {
  const logits = randomTensor([3, 5], 1) as Tensor2D;
  const targets = tensor1d([0, 4, 2], 'int32');
  expectNoTensorsLeft(() => {
    crossEntropy(logits, targets).dispose();
    for (const gradient of gradientsOf((x) => crossEntropy(x as Tensor2D, targets), [logits])) gradient.dispose();
  });
});

function randomTargets(rows: number, classes: number, seed: number, ignoreId?: number): Tensor1D {
  const random = new Random(seed);
  const draw = () => (ignoreId !== undefined && random.uniform() < 0.3 ? ignoreId : random.integer(classes));
  return tensor(Array.from({ length: rows }, draw), [rows], 'int32');
}
