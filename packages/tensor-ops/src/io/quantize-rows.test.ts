import { expect, test } from 'vitest';
import { Random } from '../random.js';
import { dequantizeRows, quantizeRows } from './quantize-rows.js';

const random = new Random(1);
const matrix = Float32Array.from({ length: 7 * 33 }, () => random.normal() * 10 ** (random.uniform() * 6 - 3));

test('no element moves by more than half a step of its row', () => {
  const quantized = quantizeRows(matrix, 7, 33);
  const back = dequantizeRows(quantized);
  for (const [i, v] of matrix.entries()) {
    expect(Math.abs(back[i]! - v)).toBeLessThanOrEqual(quantized.scales[Math.floor(i / 33)]! * 0.50001);
  }
});

test('quantizing again changes nothing', () => {
  const once = quantizeRows(matrix, 7, 33);
  const twice = quantizeRows(dequantizeRows(once), 7, 33);
  expect(twice.values).toEqual(once.values);
  expect(dequantizeRows(twice)).toEqual(dequantizeRows(once));
});

test('rows of zeros stay zeros, and NaN is not hidden', () => {
  expect([...dequantizeRows(quantizeRows(new Float32Array(4), 2, 2))]).toEqual([0, 0, 0, 0]);
  expect(dequantizeRows(quantizeRows(Float32Array.of(1, Number.NaN), 1, 2))[0]).toBeNaN();
});
