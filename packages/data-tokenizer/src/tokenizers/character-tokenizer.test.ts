import fc from 'fast-check';
import { expect, test } from 'vitest';
import { anyText } from '../testing/random-text.js';
import { CharacterTokenizer } from './character-tokenizer.js';
import { tokenizerFromJSON } from './tokenizer-from-json.js';
import { toWellFormed } from './well-formed.js';

const samples = fc.sample(anyText, { seed: 21, numRuns: 20_000 });

test('20,000 texts come back as they were, lone surrogates as U+FFFD', async () => {
  const tokenizer = await CharacterTokenizer.train(samples);
  expect(samples.filter((text) => tokenizer.decode(tokenizer.encode(text).ids) !== toWellFormed(text))).toEqual([]);
});

test('pieces are grapheme clusters, and offsets cover the text', async () => {
  const tokenizer = await CharacterTokenizer.train([]);
  const text = 'e\u0301👩‍👩‍👧🇨🇳 각\r\n𠮷';
  const { tokens, offsets } = tokenizer.encode(text);
  expect(tokens).toEqual(['e\u0301', '👩‍👩‍👧', '🇨🇳', ' ', '각', '\r\n', '𠮷']);
  expect(offsets.map(([start, end]) => text.slice(start, end))).toEqual(tokens);
});

test('an unseen character becomes <unk>, and nothing else changes', async () => {
  const tokenizer = await CharacterTokenizer.train(['ab cd']);
  expect(tokenizer.decode(tokenizer.encode('a👍b').ids)).toBe('a<unk>b');
});

test('padding and marks are left out of the text unless they are wanted', async () => {
  const tokenizer = await CharacterTokenizer.train(['ab']);
  expect(tokenizer.decode([2, 4, 5, 3, 0])).toBe('ab');
  expect(tokenizer.decode(Int32Array.of(2, 4, 3), { keepSpecial: true })).toBe('<bos>a<eos>');
  expect(() => tokenizer.decode([99])).toThrow('Vocabulary: id must be a whole number in [0, 6); got 99');
});

test('a file read back gives the same ids', async () => {
  const tokenizer = await CharacterTokenizer.train(samples.slice(0, 500), { minFrequency: 2 });
  const again = tokenizerFromJSON(JSON.stringify(tokenizer));
  expect(again).toBeInstanceOf(CharacterTokenizer);
  for (const text of samples.slice(0, 500)) expect(again.encode(text).ids).toEqual(tokenizer.encode(text).ids);
  expect(JSON.stringify(again)).toBe(JSON.stringify(tokenizer));
});
