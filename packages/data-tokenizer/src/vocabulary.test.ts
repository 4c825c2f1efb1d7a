import fc from 'fast-check';
import { expect, test } from 'vitest';
import { compareCodePoints, specialTokens, Vocabulary } from './vocabulary.js';

const counts = new Map([
  ['b', 3],
  ['a', 3],
  ['z', 9],
  ['\u{10000}', 2],
  ['\uFFFF', 2],
  ['rare', 1],
  ['<eos>', 99],
]);

test('special pieces first, then by frequency, then by code points', () => {
  expect(Vocabulary.fromCounts(counts).tokens).toEqual([
    ...specialTokens,
    'z',
    'a',
    'b',
    '\uFFFF',
    '\u{10000}',
    'rare',
  ]);
});

test('the order in which pieces were counted does not matter', () => {
  const reversed = new Map([...counts].reverse());
  expect(Vocabulary.fromCounts(reversed).tokens).toEqual(Vocabulary.fromCounts(counts).tokens);
});

test('rare pieces and those beyond the size are left out', () => {
  expect(Vocabulary.fromCounts(counts, { minFrequency: 3 }).tokens).toEqual([...specialTokens, 'z', 'a', 'b']);
  expect(Vocabulary.fromCounts(counts, { maxSize: 6 }).tokens).toEqual([...specialTokens, 'z', 'a']);
  expect(() => Vocabulary.fromCounts(counts, { maxSize: 4 })).toThrow(
    'Vocabulary: maxSize must be over 4 (the special pieces); got 4',
  );
});

test('ids and pieces are each other’s inverse; others are <unk>', () => {
  const vocabulary = Vocabulary.fromCounts(counts);
  vocabulary.tokens.forEach((token, id) => {
    expect([vocabulary.id(token), vocabulary.token(id)]).toEqual([id, token]);
  });
  expect([vocabulary.id('unseen'), vocabulary.has('unseen'), vocabulary.id('__proto__')]).toEqual([1, false, 1]);
});

test('an id that is none, a piece that is there twice: one sentence', () => {
  for (const id of [-1, 10, 1.5, Number.NaN]) {
    expect(() => Vocabulary.fromCounts(counts).token(id)).toThrow(
      `Vocabulary: id must be a whole number in [0, 10); got ${id}`,
    );
  }
  expect(() => new Vocabulary(['a', 'b', 'a'])).toThrow('Vocabulary: each piece has one id; got "a" as both 0 and 2');
});

test('strings are compared by code points', () => {
  const points = (text: string) => Array.from(text, (letter) => letter.codePointAt(0) as number);
  const any = fc.string({
    unit: fc.oneof(fc.constantFrom('a', '\uFFFF', '\uE000', '\u{10000}', '\u{10FFFF}', '\uD7FF')),
    maxLength: 4,
  });
  fc.assert(
    fc.property(any, any, (a, b) => {
      const [x, y] = [points(a), points(b)];
      const at = x.findIndex((point, i) => point !== y[i]);
      const expected = at === -1 ? x.length - y.length : at >= y.length ? 1 : (x[at] as number) - (y[at] as number);
      return Math.sign(compareCodePoints(a, b)) === Math.sign(expected);
    }),
    { seed: 1 },
  );
});
