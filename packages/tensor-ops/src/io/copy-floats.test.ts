import { afterEach, expect, test, vi } from 'vitest';
import { copyFloats } from './copy-floats.js';

afterEach(() => void vi.unstubAllGlobals());

test.each(['with', 'without'])('copies parts of shared and of plain memory, %s Buffer', (buffer) => {
  if (buffer === 'without') vi.stubGlobal('Buffer', undefined);
  const shared = new Float32Array(new SharedArrayBuffer(40));
  const plain = Float32Array.from({ length: 10 }, (_, i) => i - Math.PI);
  copyFloats(plain.subarray(2, 7), shared.subarray(3, 8));
  expect([...shared]).toEqual([0, 0, 0, ...plain.subarray(2, 7), 0, 0]);
  const back = new Float32Array(5);
  copyFloats(shared.subarray(3, 8), back);
  expect(back).toEqual(plain.slice(2, 7));
  copyFloats(plain.subarray(4, 4), back.subarray(5));
  expect(back).toEqual(plain.slice(2, 7));
});
