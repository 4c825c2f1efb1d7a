import { tensor2d } from '@tensorflow/tfjs-core';
import { beforeAll, expect, test } from 'vitest';
import { useBackend } from '../../backend.js';
import { type Lookup, tableLookup } from './lookup.js';
import { sequenceSchedule } from './schedule.js';

beforeAll(async () => {
  await useBackend();
});

function lookup(ids: number[], lengths?: number[]): Lookup {
  const table = tensor2d(new Float32Array(18), [9, 2]);
  const shape = [2, ids.length / 2] as const;
  const found = tableLookup({ table, ids: Int32Array.from(ids), shape }, sequenceSchedule(...shape, lengths));
  table.dispose();
  return found;
}

test('rows that repeat are read once, in the order of the steps that read them first', () => {
  expect(lookup([4, 4, 7, 0, 4, 7])).toEqual({
    rows: Int32Array.of(4, 0, 7),
    places: Int32Array.of(0, 1, 0, 0, 2, 2),
    paddingId: -1,
  });
});

test('where few repeat every step reads its own', () => {
  expect(lookup([4, 5, 7, 0, 1, 4])).toEqual({ rows: Int32Array.of(4, 0, 5, 1, 7, 4), places: null, paddingId: -1 });
});

test('what padding holds is not read', () => {
  expect(lookup([4, 8, 8, 4, 4, 8], [1, 2]).rows).toEqual(Int32Array.of(4));
});
