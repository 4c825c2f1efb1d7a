import { expect, test } from 'vitest';
import { CorpusStatistics } from './corpus-statistics.js';

test('lengths are those of the sorted list of all', () => {
  const statistics = new CorpusStatistics();
  const lengths = Array.from({ length: 250 }, (_, i) => 1 + ((i * 37) % 101));
  for (const length of lengths) statistics.add('x'.repeat(length), '你好 世界');
  const { pairs, source, target, repeatedSources } = statistics.result();
  const sorted = [...lengths].sort((a, b) => a - b);
  const mean = lengths.reduce((sum, length) => sum + length) / 250;
  expect(source.characters).toEqual({
    mean: Number(mean.toFixed(2)),
    median: sorted[125],
    p95: sorted[237],
    p99: sorted[247],
    max: 101,
  });
  expect(target).toMatchObject({ characters: { mean: 5, max: 5 }, words: { mean: 2 }, scripts: { Han: 1 } });
  expect([pairs, repeatedSources]).toEqual([250, 250 - new Set(lengths).size]);
});

test('of nothing, all is 0', () => {
  expect(new CorpusStatistics().result().source.characters).toEqual({ mean: 0, median: 0, p95: 0, p99: 0, max: 0 });
});
