import fc from 'fast-check';
import { expect, test } from 'vitest';
import { anyText } from '../testing/random-text.js';
import { CharacterTokenizer } from '../tokenizers/character-tokenizer.js';
import { Normalizer } from './normalizer.js';
import { normalizationSteps } from './steps.js';

test.each([
  ['nfc', 'e\u0301 ﬁ', 'é ﬁ'],
  ['nfkc', 'ｶﾞ ﬁ Ａ', 'ガ fi A'],
  ['mojibake', 'CafÃ© â€œouiâ€\u009D', 'Café “oui”'],
  ['quotes', '“don’t” «oui»', '"don\'t" "oui"'],
  ['full-width-letters', 'Ａｂ９，', 'Ab9，'],
  ['full-width-punctuation', '好，好。（１）\u3000、', '好,好.(１) ,'],
  ['invisible', 'a\u200Bb\u0000c\uFEFF\t👩\u200D👧', 'abc\t👩\u200D👧'],
  ['whitespace', ' a \t b\n\u3000', 'a b'],
  ['lowercase', 'ÜBER ΣΑΣ İ', 'über σασ i̇'],
])('%s: %j becomes %j', (step, raw, normalized) => {
  expect(new Normalizer([step]).apply(raw)).toBe(normalized);
});

test('simplified and traditional choose by word, not by character', async () => {
  const simplified = await Normalizer.load(['simplified']);
  expect(simplified.apply('乾隆皇帝乾杯，湯姆後來學中文')).toBe('乾隆皇帝干杯，汤姆后来学中文');
  const traditional = await Normalizer.load(['traditional']);
  expect(traditional.apply('皇后后来理发')).toBe('皇后後來理髮');
});

test('a name that is no step is refused with the names that are', () => {
  expect(() => new Normalizer(['nfc', 'upper'])).toThrow(/must be one of nfc, nfkc, .*; got "upper"/);
});

test('its JSON makes the same normalizer again', async () => {
  const normalizer = await Normalizer.load(normalizationSteps);
  const again = await Normalizer.load(JSON.parse(JSON.stringify(normalizer)) as string[]);
  fc.assert(fc.property(anyText, (text) => again.apply(text) === normalizer.apply(text)));
});

test('every step applied twice changes nothing more', async () => {
  // Undoing a double encoding twice may undo a double one, which is what the name says.
  for (const step of normalizationSteps.filter((name) => name !== 'mojibake')) {
    const normalizer = await Normalizer.load([step]);
    fc.assert(
      fc.property(anyText, (text) => {
        const once = normalizer.apply(text);
        expect(normalizer.apply(once)).toBe(once);
      }),
      { seed: 2 },
    );
  }
});

test('every step keeps spans within the raw text and in order', async () => {
  const normalizer = await Normalizer.load(normalizationSteps);
  fc.assert(
    fc.property(anyText, (text) => {
      const aligned = normalizer.align(text);
      let last = 0;
      for (let i = 0; i < aligned.text.length; i++) {
        const [start, end] = aligned.span(i, i + 1);
        expect(last <= start && start <= end && end <= text.length).toBe(true);
        last = start;
      }
    }),
    { seed: 4, numRuns: 300 },
  );
});

test('what a step leaves alone keeps its place', async () => {
  const normalizer = await Normalizer.load(['nfkc', 'simplified', 'whitespace', 'lowercase']);
  const raw = '  ﬁne   後來 Ａ\u0301';
  const aligned = normalizer.align(raw);
  const { tokens, offsets } = (await CharacterTokenizer.train([aligned.text])).encode(aligned.text);
  expect(tokens.join('')).toBe('fine 后来 á');
  expect(offsets.map(([start, end]) => raw.slice(...aligned.span(start, end)))).toEqual([
    'ﬁ',
    'ﬁ',
    'n',
    'e',
    '   ',
    '後',
    '來',
    ' ',
    'Ａ\u0301',
  ]);
});
