import '@tensorflow/tfjs-backend-cpu';
import { clone, memory, setBackend, tensor } from '@tensorflow/tfjs-core';
import { beforeAll, expect, test } from 'vitest';
import { useBackend } from '../backend.js';
import { parameter } from '../nn/parameter.js';
import { addValues, readValues, viewValues, writeValues } from './raw-values.js';

beforeAll(async () => {
  await useBackend();
});

const shared = (values: number[]) => {
  const array = new Float32Array(new SharedArrayBuffer(4 * values.length));
  array.set(values);
  return array;
};

test('values go to shared memory and back, and are added there, with nothing left behind', () => {
  const p = parameter(Float32Array.of(1, 2, 3, 4, 5, 6, 7), [7]);
  const before = memory().numTensors;
  const out = shared([0, 0, 0, 0, 0, 0, 0]);
  readValues(p, out);
  expect([...out]).toEqual([1, 2, 3, 4, 5, 6, 7]);
  writeValues(
    p,
    out.map((value) => 10 * value),
  );
  expect([...p.dataSync()]).toEqual([10, 20, 30, 40, 50, 60, 70]);
  const x = tensor([1, 1, 1, 1, 1, 1, 1]);
  const sum = addValues(x, out);
  expect([...sum.dataSync()]).toEqual([2, 3, 4, 5, 6, 7, 8]);
  sum.dispose();
  expect(memory().numTensors).toBe(before);
});

test.each(['wasm', 'cpu'])('on %s, values can be read where they lie, and only floats', async (backend) => {
  await setBackend(backend);
  const x = tensor([1, 2, 3]);
  const values = viewValues(x);
  expect([...values]).toEqual([1, 2, 3]);
  values[1] = 20;
  expect([...x.dataSync()]).toEqual([1, 20, 3]);
  x.dispose();
  const ids = tensor([1, 2], [2], 'int32');
  expect(() => viewValues(ids)).toThrow('viewValues: x must be of floats; got int32 [2]');
  ids.dispose();
  await setBackend('wasm');
});

test('arrays of several pieces are added whole', () => {
  const size = 20_000;
  const sum = addValues(
    tensor(Array(size).fill(1)),
    Float32Array.from({ length: size }, (_, i) => i),
  );
  expect(sum.dataSync().every((value, i) => value === i + 1)).toBe(true);
  sum.dispose();
});

test('a tensor that shared a parameter’s memory keeps its values', () => {
  const p = parameter(Float32Array.of(1, 2), [2]);
  const old = clone(p);
  writeValues(p, Float32Array.of(3, 4));
  expect([...old.dataSync()]).toEqual([1, 2]);
});

test('sizes must agree', () => {
  const x = tensor([1, 2, 3]);
  expect(() => readValues(x, new Float32Array(2))).toThrow(
    'readValues: a float32 tensor of 2 values is needed; got float32 [3]',
  );
});
