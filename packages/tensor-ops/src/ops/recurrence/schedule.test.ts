import { expect, test } from 'vitest';
import { sequenceSchedule } from './schedule.js';

test('only real steps are visited, longest rows first', () => {
  const { order, active, start, steps, natural } = sequenceSchedule(4, 5, [2, 4, 0, 4]);
  expect([...order]).toEqual([1, 3, 0, 2]);
  expect([...active]).toEqual([3, 3, 2, 2, 0]);
  expect([...start]).toEqual([0, 3, 6, 8, 10]);
  expect(steps).toBe(10);
  expect(natural).toBe(false);
});

test('without lengths every step is real; one row or one step needs no reordering', () => {
  expect(sequenceSchedule(3, 2)).toMatchObject({ steps: 6, natural: false });
  expect(sequenceSchedule(1, 5)).toMatchObject({ steps: 5, natural: true });
  expect(sequenceSchedule(7, 1)).toMatchObject({ steps: 7, natural: true });
  expect(sequenceSchedule(1, 5, [3])).toMatchObject({ steps: 3, natural: false });
});
