import { expect, test } from 'vitest';
import { pointedTo, rootPath } from './hypothesis.js';

const path = (token: number, attention: number[] | null) => ({
  ...rootPath(2),
  token,
  attention: attention && Float32Array.from(attention),
});

test('a token points to the largest weight', () => {
  expect(pointedTo(path(5, [0.2, 0.5, 0.3]), null)).toBe(1);
  expect(pointedTo(path(5, [0.4, 0.2, 0.4]), null)).toBe(0);
  expect(pointedTo(path(5, []), null)).toBe(-1);
  expect(pointedTo(path(5, null), null)).toBe(-1);
});

test('a copied token points to a place whose copy it is, if there is one', () => {
  const copies = Int32Array.of(1, 7, 1, 8);
  expect(pointedTo(path(1, [0.1, 0.5, 0.3, 0.1]), copies)).toBe(2);
  expect(pointedTo(path(8, [0.1, 0.5, 0.3, 0.1]), copies)).toBe(3);
  expect(pointedTo(path(9, [0.1, 0.5, 0.3, 0.1]), copies)).toBe(1);
});
