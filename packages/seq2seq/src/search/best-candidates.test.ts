import { Random } from '@seqloom/tensor-ops';
import { expect, test } from 'vitest';
import { bestCandidates } from './best-candidates.js';

test('gives what sorting all continuations gives, whatever their number', () => {
  const random = new Random(3);
  for (const [rows, vocabulary, count] of [
    [1, 1, 1],
    [1, 7, 3],
    [4, 9, 8],
    [3, 5, 40],
    [2, 103, 6],
  ] as const) {
    const totals = Array.from({ length: rows }, () => -random.uniform(0, 3));
    const scores = Array.from({ length: rows }, () =>
      Float32Array.from({ length: vocabulary }, () => -random.integer(5)),
    );
    const all = scores.flatMap((row, r) =>
      Array.from(row, (value, token) => ({ row: r, token, total: totals[r]! + value })),
    );
    const sorted = all.toSorted((a, b) => b.total - a.total).slice(0, count); // a stable sort: ties in the order of rows and tokens
    expect(bestCandidates(totals, scores, count)).toEqual(sorted);
  }
});

test('what must not come is never a candidate', () => {
  const row = Float32Array.of(-Infinity, -2, -Infinity);
  expect(bestCandidates([0], [row], 3)).toEqual([{ row: 0, token: 1, total: -2 }]);
});
