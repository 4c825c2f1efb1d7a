import { expect, test } from 'vitest';
import { sentences } from '../testing/random-text.js';
import { BytePairTokenizer } from './byte-pair-tokenizer.js';
import { CharacterTokenizer } from './character-tokenizer.js';
import { measureTokenizer } from './measure-tokenizer.js';
import type { Tokenizer } from './tokenizer.js';
import { tokenizerFromJSON } from './tokenizer-from-json.js';
import { WordTokenizer } from './word-tokenizer.js';

const learning = { vocabularySize: 500, minFrequency: 1 };
const tokenizers: [string, Tokenizer][] = [
  ['characters', await CharacterTokenizer.train(sentences)],
  ['words', await WordTokenizer.train(sentences)],
  ['words by the Moses rules', await WordTokenizer.train(sentences, { segmentation: 'moses' })],
  ['words at whitespace', await WordTokenizer.train(sentences, { segmentation: 'whitespace' })],
  ['bytes', await BytePairTokenizer.train(sentences, learning)],
  ['characters and merges', await BytePairTokenizer.train(sentences, { ...learning, alphabet: 'characters' })],
  ['no words at all', await WordTokenizer.train([])],
];

const inputs: [string, string][] = [
  ['nothing', ''],
  ['spaces', ' \t \n\u3000 '],
  ['unseen letters', 'Съешь ещё этих мягких французских булок'],
  ['emoji', '🥟👩🏽‍🚀🏳️‍🌈🇨🇳'],
  ['Chinese without spaces', '湯姆後天從臺北來看我們'],
  [
    'a very long paste',
    `${'All work and no play makes 汤姆 a dull boy. '.repeat(1000)}${'没有空格'.repeat(2000)}${'x'.repeat(50_000)}`,
  ],
  ['a lone surrogate', 'a\uD83D b'],
  ['NUL and controls', '\0\u0001\u001B[0m\u202E'],
  ['a tower of marks', `e${'\u0301'.repeat(2000)}`],
];

test.each(
  tokenizers.flatMap(([name, tokenizer]) => inputs.map(([what, text]) => [name, what, tokenizer, text] as const)),
)('%s: %s gives an answer', (_, what, tokenizer, text) => {
  const started = performance.now();
  const { ids, tokens, offsets } = tokenizer.encode(text);
  expect([tokens.length, offsets.length]).toEqual([ids.length, ids.length]);
  expect(ids.every((id) => id >= 0 && id < tokenizer.size)).toBe(true);
  expect(typeof tokenizer.decode(ids)).toBe('string');
  expect(performance.now() - started).toBeLessThan(5000);
  if (what === 'nothing') expect(ids.length).toBe(0);
  // What was saved says the same.
  expect(tokenizerFromJSON(JSON.stringify(tokenizer)).encode(text).ids).toEqual(ids);
});

test('the share of unknown pieces and the pieces per word are counted', async () => {
  const words = await WordTokenizer.train(['the tower of the fox', '北京']);
  expect(await measureTokenizer(words, ['the lowest fox.', '', '北京'])).toEqual({
    texts: 3,
    words: 4,
    pieces: 5,
    unknown: 2,
    unknownShare: 0.4,
    piecesPerWord: 1.25,
    longest: 4,
  });
  const bytes = await BytePairTokenizer.train(['the tower'], { vocabularySize: 300, minFrequency: 1 });
  const report = await measureTokenizer(bytes, ['Съешь ещё']);
  expect(report.unknown).toBe(0);
  expect(report.piecesPerWord).toBeGreaterThan(5);
  expect(await measureTokenizer(words, [])).toMatchObject({ unknownShare: 0, piecesPerWord: 0 });
});
