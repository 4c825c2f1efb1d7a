import {
  mul,
  reshape,
  type Tensor,
  type Tensor1D,
  type Tensor2D,
  tensor1d,
  tensor2d,
  tidy,
} from '@tensorflow/tfjs-core';
import { beforeAll, expect, test } from 'vitest';
import { useBackend } from '../backend.js';
import { Random } from '../random.js';
import { crossEntropyReference } from '../reference/cross-entropy.js';
import { linearReference } from '../reference/linear.js';
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
import { linearCrossEntropy } from './linear-cross-entropy.js';
import { scoreTargets } from './score-targets.js';

beforeAll(async () => {
  expect((await useBackend()).name).toBe('wasm');
});

const fused = (targets: Tensor1D, options: CrossEntropyOptions) => (x: Tensor, weight: Tensor, bias?: Tensor) =>
  linearCrossEntropy(x as Tensor2D, weight as Tensor2D, bias as Tensor1D | undefined, targets, options);

const composed = (targets: Tensor1D, options: CrossEntropyOptions) => (x: Tensor, weight: Tensor, bias?: Tensor) => {
  const logits = linearReference(x, weight as Tensor2D, bias as Tensor1D | undefined) as Tensor2D;
  return crossEntropyReference(logits, targets, planCrossEntropy(targets, weight.shape[0]!, options, 'test'));
};

const SETTINGS: CrossEntropyOptions[] = [
  {},
  { ignoreId: 0, labelSmoothing: 0.1 },
  { ignoreId: -100, reduction: 'sum' },
  { ignoreId: -100, divisor: 7 },
];

test('value and all gradients equal the reference, with and without bias', () => {
  forSizes(
    'NIV',
    ({ N, I, V }, seed) =>
      tidy(() => {
        const inputs = [randomTensor([N, I], seed), randomTensor([V, I], seed + 1), randomTensor([V], seed + 2)];
        for (const options of SETTINGS) {
          const targets = randomTargets(N, V, seed, options.ignoreId);
          expectSame(fused(targets, options), composed(targets, options), inputs, 1e-5);
          expectSame(fused(targets, options), composed(targets, options), inputs.slice(0, 2), 1e-5);
        }
      }),
    { least: 1, runs: 20 },
  );
});

test('rows may have any number of axes before them', () => {
  tidy(() => {
    const inputs = [randomTensor([2, 1, 3, 4], 1), randomTensor([5, 4], 2), randomTensor([5], 3)];
    const targets = tensor1d([0, 4, 2, 2, 1, 3], 'int32');
    const flat = ([x, ...rest]: Tensor[]) => [reshape(x!, [6, 4]), ...rest] as [Tensor, Tensor, Tensor];
    const op = fused(targets, { ignoreId: 1 });
    expectSame(op, (...all) => op(...flat(all)), inputs, 1e-6);
    expect(scoreTargets(inputs[0]!, inputs[1]!, undefined, targets)).toEqual(
      scoreTargets(flat(inputs)[0], inputs[1]!, undefined, targets),
    );
  });
});

test('rows beyond one block add up to the same', () => {
  tidy(() => {
    const [N, I, V] = [37, 2, 400_000]; // ten rows a block
    const inputs = [randomTensor([N, I], 1), randomTensor([V, I], 2), randomTensor([V], 3)];
    const targets = randomTargets(N, V, 4, -1);
    expectSame(fused(targets, { ignoreId: -1 }), composed(targets, { ignoreId: -1 }), inputs, 1e-4);
  });
});

test('the gradients equal finite differences', () => {
  tidy(() => {
    const inputs = [randomTensor([3, 2], 1), randomTensor([4, 2], 2), randomTensor([4], 3)];
    const options = { ignoreId: 0, labelSmoothing: 0.1 };
    expectFiniteDifferences(fused(tensor1d([3, 0, 1], 'int32'), options), inputs);
  });
});

test('a NaN among the scores makes the loss NaN, wherever it stands', () => {
  for (let V = 1; V <= 24; V++) {
    for (let at = 0; at < V; at++) {
      tidy(() => {
        const [x, weight, targets] = [
          randomTensor([3, 2], V),
          randomTensor([V, 2], V),
          tensor1d([0, V - 1, 0], 'int32'),
        ];
        const bias = tensor1d(Array.from({ length: V }, (_, v) => (v === at ? Number.NaN : 0)));
        const logits = linearReference(x, weight, bias) as Tensor2D;
        for (const loss of [
          linearCrossEntropy(x, weight as Tensor2D, bias, targets).dataSync()[0],
          crossEntropy(logits, targets).dataSync()[0],
          scoreTargets(x, weight as Tensor2D, bias, targets).loss,
        ]) {
          expect(loss, `${at} of ${V}`).toBeNaN();
        }
      });
    }
  }
});

test('ignored rows change nothing and get no gradient, even where they hold NaN', () => {
  tidy(() => {
    const weight = randomTensor([4, 2], 1);
    const [targets, options] = [tensor1d([2, 9, 3], 'int32'), { ignoreId: 9 }];
    const x = tensor2d([1, 2, Number.NaN, Number.NaN, 3, 4], [3, 2]);
    const alone = fused(tensor1d([2, 3], 'int32'), {})(tensor2d([1, 2, 3, 4], [2, 2]), weight);
    expectClose(fused(targets, options)(x, weight), alone, 0);
    const [dx, dw] = gradientsOf(fused(targets, options), [x, weight]);
    expectClose([...dx!.dataSync()].slice(2, 4), [0, 0], 0);
    expect([...dw!.dataSync()].every(Number.isFinite)).toBe(true);
  });
});

test('is zero with zero gradients when every row is ignored', () => {
  tidy(() => {
    const inputs = [randomTensor([2, 3], 1), randomTensor([5, 3], 2), randomTensor([5], 3)];
    const op = fused(tensor1d([0, 0], 'int32'), { ignoreId: 0 });
    expect(op(inputs[0]!, inputs[1]!, inputs[2]).dataSync()[0]).toBe(0);
    for (const gradient of gradientsOf(op, inputs)) expectClose(gradient, new Float32Array(gradient.size), 0);
  });
});

test('a factor on the loss reaches the gradients', () => {
  tidy(() => {
    const inputs = [randomTensor([2, 3], 1), randomTensor([5, 3], 2)];
    const op = fused(tensor1d([1, 4], 'int32'), {});
    const tripled = gradientsOf((x, w) => mul(op(x!, w!), 3), inputs);
    for (const [i, once] of gradientsOf(op, inputs).entries()) expectClose(tripled[i]!, mul(once, 3), 1e-6);
  });
});

test('scores: summed loss, hits and counted rows', () => {
  tidy(() => {
    const [x, weight] = [tensor2d([1, 0, 0, 1, 1, 1, 5, 5], [4, 2]), tensor2d([1, 0, 0, 1, 0, 0], [3, 2])];
    const targets = tensor1d([0, 0, 1, 9], 'int32'); // a hit, a miss, the second of two equal logits (a miss), ignored
    const scores = scoreTargets(x, weight, undefined, targets, { ignoreId: 9 });
    const loss = fused(targets, { ignoreId: 9, reduction: 'sum' })(x, weight).dataSync()[0] as number;
    expect(scores.loss).toBeCloseTo(loss, 5);
    expect([scores.correct, scores.rows]).toEqual([1, 3]);
  });
});

test('refuses sizes that do not fit', () => {
  tidy(() => {
    const targets = tensor1d([1, 2], 'int32');
    const of = (...shapes: number[][]) => {
      const [x, weight, bias] = shapes.map((shape) => randomTensor(shape, 1));
      return () => fused(targets, {})(x!, weight!, bias);
    };
    const rule = 'linearCrossEntropy: x must be [..., I], N rows, weight [V, I], targets [N] and bias [V]; got ';
    expect(of([2, 3], [4, 2])).toThrow(`${rule}[2,3], [4,2], [2]`);
    expect(of([3, 3], [4, 3])).toThrow(rule);
    expect(of([2, 3], [4, 3], [3])).toThrow(rule);
    expect(of([2, 3], [2, 3])).toThrow('linearCrossEntropy: targets must be in [0, 2); got 2 at position 1');
  });
});

test('leaves no tensors behind, with and without a tape', () => {
  const inputs = [randomTensor([2, 3], 1), randomTensor([5, 3], 2), randomTensor([5], 3)];
  const op = fused(tensor1d([1, 4], 'int32'), {});
  expectNoTensorsLeft(() => {
    op(inputs[0]!, inputs[1]!, inputs[2]).dispose();
    for (const gradient of gradientsOf(op, inputs)) gradient.dispose();
  });
});

function randomTargets(rows: number, classes: number, seed: number, ignoreId?: number): Tensor1D {
  const random = new Random(seed);
  const draw = () => (ignoreId !== undefined && random.uniform() < 0.3 ? ignoreId : random.integer(classes));
  return tensor1d(Array.from({ length: rows }, draw), 'int32');
}
