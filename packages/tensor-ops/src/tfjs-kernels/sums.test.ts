import {
  einsum,
  gather,
  logSoftmax,
  outerProduct,
  softmax,
  sum,
  type Tensor,
  type Tensor1D,
  tensor,
  tidy,
  unsortedSegmentSum,
} from '@tensorflow/tfjs-core';
import { beforeAll, expect, test } from 'vitest';
import { useBackend } from '../backend.js';
import { expectSameAsCpu } from '../testing/backends.js';
import { expectClose, expectFiniteDifferences, expectNoTensorsLeft, type Op, randomTensor } from '../testing/index.js';

beforeAll(async () => {
  expect((await useBackend()).name).toBe('wasm');
});

const IDS = [3, 0, 3, 3, 1, 0];
const lookUp = (table: Tensor) => gather(table, tensor(IDS, [2, 3], 'int32'));

test("gather's gradient with repeated ids equals the cpu backend's and finite differences", async () => {
  await expectSameAsCpu(lookUp as Op, () => [randomTensor([5, 7], 1)]);
  tidy(() => expectFiniteDifferences(lookUp as Op, [randomTensor([4, 3], 2)]));
});

test('slices along any axis, with batches of indices or without, equal the cpu backend’s', async () => {
  const cases = [
    { shape: [4, 5], axis: 1, indices: [[3, 0, 3]], batchDims: 0 },
    {
      shape: [3, 4, 2],
      axis: 1,
      indices: [
        [3, 0],
        [1, 1],
      ],
      batchDims: 0,
    },
    {
      shape: [2, 4, 3],
      axis: 1,
      indices: [
        [3, 0, 1],
        [1, 1, 2],
      ],
      batchDims: 1,
    },
    {
      shape: [2, 3, 4],
      axis: 2,
      indices: [
        [3, 0],
        [1, 1],
      ],
      batchDims: 1,
    },
  ];
  for (const { shape, axis, indices, batchDims } of cases) {
    const op = (x: Tensor) => gather(x, tensor(indices, undefined, 'int32'), axis, batchDims);
    await expectSameAsCpu(op as Op, () => [randomTensor(shape, 3)], {
      gradients: false,
      what: `axis ${axis} of [${shape}]`,
    });
  }
});

test('an index outside the axis is refused', () => {
  tidy(() => {
    for (const index of [-1, 5]) {
      expect(() => gather(randomTensor([5, 2], 1), tensor([0, index], [2], 'int32'))).toThrow('not in [0, 4]');
    }
  });
});

test('segments outside the range are dropped, repeated ones add up', async () => {
  for (const shape of [[6], [6, 3], [6, 2, 5]]) {
    const op = (x: Tensor) => unsortedSegmentSum(x, tensor([2, -1, 0, 2, 4, 2], [6], 'int32') as never, 4);
    await expectSameAsCpu(op as Op, () => [randomTensor(shape, 3)], { gradients: false });
  }
});

test('sums over any axes equal the cpu backend’s', async () => {
  const axes = [undefined, 0, 1, 2, 3, -1, [0, 1], [1, 2], [0, 2], [2, 3], [1, 3], [0, 1, 2], [0, 1, 2, 3]];
  for (const shape of [
    [3, 4, 5, 17],
    [2, 3, 4, 1],
    [3, 0, 2, 5],
  ]) {
    for (const axis of axes) {
      for (const keepDims of [false, true]) {
        await expectSameAsCpu(((x: Tensor) => sum(x, axis, keepDims)) as Op, () => [randomTensor(shape, 4)], {
          what: `axes [${axis}] of [${shape}]`,
          gradients: shape[1] !== 0,
        });
      }
    }
  }
});

test('softmax and logSoftmax equal the cpu backend’s', async () => {
  for (const shape of [[7], [3, 1], [4, 33], [2, 3, 50]]) {
    for (const op of [softmax, logSoftmax]) {
      await expectSameAsCpu(op as unknown as Op, () => [randomTensor(shape, 5, -20, 20)], { what: `[${shape}]` });
    }
  }
});

test('contractions of every kind equal the cpu backend’s', async () => {
  const sizes: Record<string, number> = { a: 2, b: 3, c: 4, d: 5, e: 1 };
  const equations = [
    'ab->ba', 'abc->b', 'abc->', 'abc->abc', 'ab,bc->ac', 'ab,cb->ca', 'ba,bc->ac', 'ba,cb->ac',
    'abc,acd->abd', 'abc,adc->adb', 'acb,cda->bdc', 'ab,cd->acbd', 'ab,ab->', 'ab,ab->a', 'ab,ab->ab', 'ab,a->b',
    'abcd,cd->ba', 'abcd,dcab->', 'ae,eb->ab', 'abc,cbd->ad',
  ]; // biome-ignore format: one list to look over
  for (const equation of equations) {
    const [left] = equation.split('->');
    const inputs = () =>
      left!.split(',').map((term, i) =>
        randomTensor(
          [...term].map((d) => sizes[d]!),
          i,
        ),
      );
    await expectSameAsCpu(((...xs: Tensor[]) => einsum(equation, ...xs)) as Op, inputs, {
      gradients: false,
      what: equation,
    });
  }
});

test('a contraction without a shared dimension is an outer product of sums', () => {
  tidy(() => {
    const [x, y] = [randomTensor([2, 3, 4], 1), randomTensor([5], 2)];
    expectClose(einsum('abd,c->ca', x, y), outerProduct(y as Tensor1D, sum(x, [1, 2]) as Tensor1D));
  });
});

test('contractions leave nothing but their result', () => {
  const [x, y] = [randomTensor([2, 3, 4], 1), randomTensor([4, 5, 2], 2)];
  for (const equation of ['abc,cda->bda', 'abc,cda->', 'abc,cda->adb']) {
    expectNoTensorsLeft(() => einsum(equation, x, y).dispose());
  }
  for (const equation of ['abc->', 'abc->cab', 'abc->abc']) expectNoTensorsLeft(() => einsum(equation, x).dispose());
});
