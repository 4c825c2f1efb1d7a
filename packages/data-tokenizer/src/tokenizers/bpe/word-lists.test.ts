import fc from 'fast-check';
import { expect, test } from 'vitest';
import { WordLists } from './word-lists.js';

test('lists hold what was added to them since they were taken, whatever happens to others', () => {
  const steps = fc.array(fc.record({ pair: fc.nat(4), word: fc.nat(9), take: fc.boolean() }), { maxLength: 60 });
  fc.assert(
    fc.property(steps, (all) => {
      const lists = new WordLists();
      const model = new Map<number, number[]>();
      for (const { pair, word, take } of all) {
        const expected = model.get(pair) ?? [];
        if (take) {
          expect(lists.take(pair).reverse()).toEqual(expected);
          model.delete(pair);
        } else {
          lists.add(pair, word);
          if (expected.at(-1) !== word) model.set(pair, [...expected, word]);
        }
      }
    }),
    { seed: 1, numRuns: 300 },
  );
});
