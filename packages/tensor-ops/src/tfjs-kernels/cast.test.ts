import { cast, tensor } from '@tensorflow/tfjs-core';
import { beforeAll, expect, test } from 'vitest';
import { useBackend } from '../backend.js';
import { expectSameAsCpu } from '../testing/backends.js';

beforeAll(async () => {
  expect((await useBackend()).name).toBe('wasm');
});

const NUMBERS = {
  float32: [0, -0, 0.5, 1, -1, 254, 256, -256, 1e-30, 1e30, Number.POSITIVE_INFINITY, Number.NaN],
  int32: [0, 1, -1, 3, 254, 255, 256, 65536, -256, 0x7fffffff],
  bool: [0, 1, 1, 0],
} as const;

test.each(['float32', 'int32', 'bool'] as const)('%s to bool: all is true but 0', async (dtype) => {
  const numbers = NUMBERS[dtype];
  const x = () => tensor([...numbers], [2, numbers.length / 2], dtype);
  expect([...cast(x(), 'bool').dataSync()]).toEqual(numbers.map((number) => (number === 0 ? 0 : 1)));
  await expectSameAsCpu(
    () => cast(x(), 'bool'),
    () => [],
    { gradients: false, what: dtype },
  );
});

test('a tensor without elements, and to other types, as before', async () => {
  expect(cast(tensor([], [0, 3]), 'bool').shape).toEqual([0, 3]);
  expect([...cast(tensor([2.7, -2.7, 0]), 'int32').dataSync()]).toEqual([2, -2, 0]);
  expect([...cast(tensor([true, false]), 'float32').dataSync()]).toEqual([1, 0]);
});
