import { add, sum, type Tensor, type Tensor2D, tensor, tensor1d, tensor2d, tidy } from '@tensorflow/tfjs-core';
import { beforeAll, expect, test } from 'vitest';
import { useBackend } from '../backend.js';
import { Random } from '../random.js';
import { embeddingReference } from '../reference/embedding.js';
import {
  expectClose,
  expectFiniteDifferences,
  expectNoTensorsLeft,
  gradientsOf,
  randomTensor,
} from '../testing/index.js';
import { forSizes } from '../testing/sizes.js';
import { embedding } from './embedding.js';

beforeAll(async () => {
  expect((await useBackend()).name).toBe('wasm');
});

test('equals its reference, forward', () => {
  forSizes(
    'VEN',
    ({ V, E, N }, seed) =>
      tidy(() => {
        const [table, ids] = [randomTensor([V, E], seed) as Tensor2D, randomIds([N], V, seed)];
        expectClose(embedding(table, ids), embeddingReference(table, ids), 0);
      }),
    { least: 1 },
  );
});

test('the gradient adds up the rows of equal ids', () => {
  forSizes(
    'VEN',
    ({ V, E, N }, seed) =>
      tidy(() => {
        const [table, ids] = [randomTensor([V, E], seed) as Tensor2D, randomIds([N], V, seed)];
        const dy = randomTensor([N, E], seed); // the weights that gradientsOf(…, seed) gives output 0
        const expected = new Float32Array(V * E);
        const [rows, id] = [dy.dataSync(), ids.dataSync()];
        for (let n = 0; n < N; n++) for (let e = 0; e < E; e++) expected[id[n]! * E + e]! += rows[n * E + e]!;
        const [gradient] = gradientsOf((w) => embedding(w as Tensor2D, ids), [table], seed);
        expectClose(gradient as Tensor, expected, 1e-6);
      }),
    { least: 1 },
  );
});

test('the gradient equals finite differences', () => {
  tidy(() => {
    const ids = tensor2d([4, 0, 2, 2, 2, 4], [2, 3], 'int32');
    expectFiniteDifferences((w) => embedding(w as Tensor2D, ids), [randomTensor([5, 3], 1)]);
  });
});

test('takes ids of any rank, none among them', () => {
  tidy(() => {
    const table = randomTensor([4, 3], 1) as Tensor2D;
    expect(embedding(table, tensor2d([1, 2], [1, 2], 'int32')).shape).toEqual([1, 2, 3]);
    expect(embedding(table, tensor([], [0, 5], 'int32')).shape).toEqual([0, 5, 3]);
  });
});

test('the padding row is read but gets no gradient', () => {
  tidy(() => {
    const ids = tensor1d([0, 1, 0, 3], 'int32');
    const table = randomTensor([4, 2], 1) as Tensor2D;
    expectClose(embedding(table, ids, { paddingId: 0 }), embedding(table, ids), 0);
    const [gradient] = gradientsOf((w) => embedding(w as Tensor2D, ids, { paddingId: 0 }), [table]);
    const values = [...(gradient as Tensor).dataSync()];
    expect(values.slice(0, 2)).toEqual([0, 0]);
    expect(values[2]).not.toBe(0);
  });
});

test('refuses ids outside the table and ids that are no whole numbers', () => {
  tidy(() => {
    const table = randomTensor([4, 2], 1) as Tensor2D;
    const look = (id: number) => () => embedding(table, tensor1d([0, id], 'int32'));
    expect(look(4)).toThrow('embedding: ids must be in [0, 4); got 4 at position 1');
    expect(look(-1)).toThrow('embedding: ids must be in [0, 4); got -1 at position 1');
    expect(() => embedding(table, tensor1d([0, 1], 'float32'))).toThrow('embedding: ids must be int32; got float32');
  });
});

test('leaves no tensors behind', () => {
  const table = randomTensor([4, 2], 1) as Tensor2D;
  const ids = tensor1d([0, 1, 1], 'int32');
  expectNoTensorsLeft(() => {
    embedding(table, ids).dispose();
    for (const gradient of gradientsOf((w) => add(sum(embedding(w as Tensor2D, ids)), 1), [table])) gradient.dispose();
  });
});

function randomIds(shape: number[], below: number, seed: number): Tensor {
  const random = new Random(seed);
  const size = shape.reduce((product, n) => product * n, 1);
  return tensor(
    Array.from({ length: size }, () => random.integer(below)),
    shape,
    'int32',
  );
}
