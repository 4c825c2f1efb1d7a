import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type CountedWord, learnMerges, type Merge } from './learn-merges.js';
import { MergeRules } from './merge-rules.js';

/** Byte-pair encoding as it is defined: count all pairs anew, join the best everywhere, repeat. */
function learnNaively(words: readonly CountedWord[], symbols: string[], size: number, minFrequency: number): Merge[] {
  const merges: Merge[] = [];
  let cut = words.map((word) => [...word.symbols]);
  while (symbols.length < size) {
    const counts = new Map<string, number>();
    cut.forEach((word, index) => {
      for (let i = 1; i < word.length; i++) {
        const pair = `${word[i - 1]} ${word[i]}`;
        counts.set(pair, (counts.get(pair) ?? 0) + (words[index] as CountedWord).count);
      }
    });
    const ranked = [...counts].map(([pair, count]) => ({
      pair: pair.split(' ').map(Number) as [number, number],
      count,
    }));
    ranked.sort((a, b) => b.count - a.count || a.pair[0] - b.pair[0] || a.pair[1] - b.pair[1]);
    const best = ranked[0];
    if (best === undefined || best.count < minFrequency) break;
    const [left, right] = best.pair;
    const text = `${symbols[left]}${symbols[right]}`;
    const known = symbols.indexOf(text);
    const result = known === -1 ? symbols.push(text) - 1 : known;
    merges.push({ left, right, result });
    cut = cut.map((word) => applyNaively(word, [{ left, right, result }]));
  }
  return merges;
}

/** Merges in order of learning, each everywhere from left to right. */
function applyNaively(symbols: readonly number[], merges: readonly Merge[]): number[] {
  let word = [...symbols];
  for (const { left, right, result } of merges) {
    const next: number[] = [];
    for (let i = 0; i < word.length; i++) {
      if (word[i] === left && word[i + 1] === right) {
        next.push(result);
        i++;
      } else {
        next.push(word[i] as number);
      }
    }
    word = next;
  }
  return word;
}

// Few letters, so that pairs overlap, tie, and lead to one piece by several ways.
const letters = fc.integer({ min: 0, max: 2 });
const anyWords = fc.array(
  fc.record({ symbols: fc.array(letters, { minLength: 1, maxLength: 12 }), count: fc.integer({ min: 1, max: 5 }) }),
  { minLength: 1, maxLength: 8 },
);

test('learns the merges of the definition', () => {
  fc.assert(
    fc.property(anyWords, fc.integer({ min: 1, max: 4 }), (words, minFrequency) => {
      const [fast, naive] = [
        ['a', 'b', 'c'],
        ['a', 'b', 'c'],
      ];
      expect(learnMerges(words, fast, { size: 40, minFrequency })).toEqual(
        learnNaively(words, naive, 40, minFrequency),
      );
      expect(fast).toEqual(naive);
    }),
    { seed: 1, numRuns: 500 },
  );
});

test('cuts the words it learned from as they were cut in learning, short and long alike', () => {
  fc.assert(
    fc.property(anyWords, fc.array(letters, { maxLength: 120 }), (words, other) => {
      const merges = learnMerges(words, ['a', 'b', 'c'], { size: 40, minFrequency: 1 });
      const rules = new MergeRules(merges);
      for (const symbols of [...words.map((word) => word.symbols), other, [...other, ...other]]) {
        const { ids, spans } = rules.apply(symbols);
        expect(ids).toEqual(applyNaively(symbols, merges));
        expect(spans.reduce((sum, span) => sum + span, 0)).toBe(symbols.length);
      }
    }),
    { seed: 2, numRuns: 500 },
  );
});

test('a pair that is joined twice is refused with its entry', () => {
  const merge = { left: 0, right: 1, result: 2 };
  expect(() => new MergeRules([merge, merge])).toThrow('merges[1] joins the same pair as an earlier entry');
});
