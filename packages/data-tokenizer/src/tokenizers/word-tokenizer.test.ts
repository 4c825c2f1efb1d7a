import * as HuggingFace from '@huggingface/tokenizers';
import fc from 'fast-check';
import { Tokenizer as RustTokenizer } from 'tokenizers';
import { describe, expect, test } from 'vitest';
import { anyText } from '../testing/random-text.js';
import { tokenizerFromJSON } from './tokenizer-from-json.js';
import { toWellFormed } from './well-formed.js';
import { WordTokenizer } from './word-tokenizer.js';
import type { Segmentation } from './words.js';

const samples = fc.sample(anyText, { seed: 31, numRuns: 20_000 });
const segmentations: Segmentation[] = ['words', 'moses', 'whitespace'];

function normalForm(text: string, segmentation: Segmentation): string {
  const spaced = toWellFormed(text).trim().replace(/\s+/gu, ' ');
  return segmentation === 'whitespace' ? spaced : spaced.replaceAll('￭', '■').replaceAll('▁', '_');
}

describe.each(segmentations)('segmentation by %s', (segmentation) => {
  test('20,000 texts come back in the normal form', async () => {
    const tokenizer = await WordTokenizer.train(samples, { segmentation });
    const wrong = samples.filter(
      (text) => tokenizer.decode(tokenizer.encode(text).ids) !== normalForm(text, segmentation),
    );
    expect(wrong).toEqual([]);
  });

  test('offsets lie in the text, in order, on the words they stand for', async () => {
    const tokenizer = await WordTokenizer.train([], { segmentation });
    for (const text of samples.slice(0, 2000)) {
      const { tokens, offsets } = tokenizer.encode(text);
      let last = 0;
      offsets.forEach(([start, end], i) => {
        const [token, raw] = [tokens[i] as string, normalForm(text.slice(start, end), segmentation)];
        if (start < last || !(token === raw || token.replace(/^[￭▁]|[￭▁]$/g, '') === raw))
          expect.fail(`${token} at ${start} of ${text}`);
        last = end;
      });
    }
  });

  test('a file read back gives the same ids', async () => {
    const tokenizer = await WordTokenizer.train(samples.slice(0, 300), { segmentation, locale: 'zh', minFrequency: 2 });
    const again = tokenizerFromJSON(JSON.stringify(tokenizer));
    expect(again).toBeInstanceOf(WordTokenizer);
    for (const text of samples.slice(0, 600)) expect(again.encode(text)).toEqual(tokenizer.encode(text));
    expect(JSON.stringify(again)).toBe(JSON.stringify(tokenizer));
  });
});

test.each([
  ['zh', '欢迎来北京', '欢迎 来 北京'],
  ['ja', '東京に行きます', '東京 に 行き ます'],
  ['th', 'สวัสดีครับ', 'สวัสดี ครับ'],
  ['en', "Don't panic: it's 3.5% (or $1,000)!", "Don't panic : it's 3.5 % ( or $￭ 1,000 ) !"],
  ['de', 'E-Mail an Frau Müller-Lüdenscheidt', 'E ￭-￭ Mail an Frau Müller ￭-￭ Lüdenscheidt'],
  ['ar', 'مرحبا، كيف حالك؟', 'مرحبا ، كيف حالك ؟'],
])('%s: %s', async (locale, text, pieces) => {
  const tokenizer = await WordTokenizer.train([text], { locale });
  expect(tokenizer.encode(text).tokens.join(' ')).toBe(pieces);
});

test.each([
  [
    'en',
    "Mr. Smith doesn't like the U.S. well-known, e.g. at 3.5%.",
    "Mr. Smith doesn 't like the U.S. well-known , e.g. at 3.5 % .",
  ],
  ['de', 'Herr Müller-Lüdenscheidt sagt z.B. „nein“...', 'Herr Müller-Lüdenscheidt sagt z.B. „ nein ￭“ ...'],
  ['fr', "L'eau n'est pas là !", "L' eau n' est pas là ▁!"],
])('Moses rules, %s: %s', async (locale, text, pieces) => {
  const tokenizer = await WordTokenizer.train([text], { locale, segmentation: 'moses' });
  expect(tokenizer.encode(text).tokens.join(' ')).toBe(pieces);
  expect(tokenizer.decode(tokenizer.encode(text).ids)).toBe(text);
});

test('a word is the same piece wherever it stands', async () => {
  const tokenizer = await WordTokenizer.train(['hi']);
  for (const text of ['hi', '"hi"', '(hi)', 'hi,hi', ' hi ', '«hi»', 'hi—hi', '你hi你', 'hi/hi']) {
    expect(tokenizer.encode(text).tokens).toContain('hi');
  }
});

test('natural English and Chinese need no marks at all', async () => {
  const texts = [
    "Tom's friend said: hello, world (it's 3.5%)!",
    '他说：“你好。”我有3个iPhone，你呢？',
    'What? No; never... (Yes!)',
  ];
  const tokenizer = await WordTokenizer.train(texts);
  expect(tokenizer.vocabulary.tokens.filter((token) => /[￭▁]/.test(token))).toEqual([]);
});

test('unusual spacing is marked on the punctuation, between words by a piece of its own', async () => {
  const text = 'He said "hi". A well-known  word ,  really 你 好';
  const tokenizer = await WordTokenizer.train([text]);
  expect(tokenizer.encode(text).tokens.join(' ')).toBe('He said "￭ hi ￭" . A well ￭-￭ known word ▁, really ▁ 你 ▁ 好');
});

test('a mark never makes punctuation unknown: only the spacing is lost', async () => {
  const tokenizer = await WordTokenizer.train(['he said - well - yes']);
  expect(tokenizer.encode('well-yes').tokens).toEqual(['well', '-', 'yes']);
});

test('an unseen word becomes <unk>; nothing makes it throw', async () => {
  const tokenizer = await WordTokenizer.train(['Welcome to Beijing']);
  for (const text of ['', '   ', '👩‍👩‍👧', '\uD800', 'x'.repeat(100_000), '欢迎来北京'.repeat(2000), '\0\n']) {
    expect(() => tokenizer.decode(tokenizer.encode(text).ids)).not.toThrow();
  }
  expect(tokenizer.decode(tokenizer.encode('Welcome to zebra').ids)).toBe('Welcome to <unk>');
  expect(tokenizer.encode('zebra').tokens).toEqual(['zebra']);
});

test('the names of special pieces in a text are text', async () => {
  const tokenizer = await WordTokenizer.train(['a <eos> b'], { segmentation: 'whitespace' });
  expect([...tokenizer.encode('<eos> <pad> b').ids]).toEqual([1, 1, 5]);
});

test('other libraries load the file, and agree on text that is already cut', async () => {
  const text = '他说：“欢迎来北京。”';
  const tokenizer = await WordTokenizer.train([text], { locale: 'zh' });
  const { ids, tokens } = tokenizer.encode(text);
  const cut = [...tokens, 'unseen'].join(' ');
  expect((await RustTokenizer.fromString(JSON.stringify(tokenizer)).encode(cut)).getIds()).toEqual([...ids, 1]);
  expect(new HuggingFace.Tokenizer(tokenizer.toJSON(), { unk_token: '<unk>' }).encode(cut).ids).toEqual([...ids, 1]);
});

test('a locale or segmentation that is none is refused', async () => {
  await expect(WordTokenizer.train([], { segmentation: 'x' as 'words' })).rejects.toThrow(
    'WordTokenizer: segmentation must be words, moses or whitespace; got "x"',
  );
  await expect(WordTokenizer.train([], { locale: 'not a tag' })).rejects.toThrow(RangeError);
});
