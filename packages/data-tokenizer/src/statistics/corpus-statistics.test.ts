import fc from 'fast-check';
import { expect, test } from 'vitest';
import { anyText } from '../testing/random-text.js';
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

// Letters and punctuation in any order: words that can be told without a segmenter, and such as only look like it.
const plainText = fc.string({ unit: fc.constantFrom(...'aZ09éßƻǀɏЖсԯ .,:;!?\'’"“_-·/&#*…—') });

test('words and characters are those of the whole texts, though they are counted between spaces', () => {
  const segmenter = new Intl.Segmenter('und', { granularity: 'word' });
  fc.assert(
    fc.property(fc.array(fc.oneof(anyText, plainText), { minLength: 1, maxLength: 4 }), (texts) => {
      const statistics = new CorpusStatistics();
      for (const text of texts) statistics.add(text, text);
      const { target } = statistics.result();
      const words = texts.map((text) => [...segmenter.segment(text)].filter(({ isWordLike }) => isWordLike));
      expect(target).toMatchObject({
        characters: { max: Math.max(...texts.map((text) => [...text].length)) },
        words: { max: Math.max(...words.map((found) => found.length)) },
        differentCharacters: new Set(texts.flatMap((text) => [...text])).size,
        differentWords: new Set(words.flat().map(({ segment }) => segment)).size,
      });
    }),
    { seed: 3, numRuns: 600 },
  );
});

test('scripts are counted each time a word comes', () => {
  const statistics = new CorpusStatistics();
  for (let i = 0; i < 3; i++) statistics.add('ab ab 你好 ab', 'да');
  expect(statistics.result().source.scripts).toEqual({ Latin: 0.75, Han: 0.25 });
  expect(statistics.result()).toEqual(statistics.result());
});
