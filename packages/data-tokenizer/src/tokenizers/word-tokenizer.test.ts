import { expect, test } from 'vitest';
import { WordTokenizer } from './word-tokenizer.js';

test('cuts Chinese without spaces into words', async () => {
  const tokenizer = await WordTokenizer.train(['欢迎来北京'], { locale: 'zh' });
  const { tokens, offsets, ids } = tokenizer.encode('欢迎来北京');
  expect(tokens).toEqual(['欢迎', '来', '北京']);
  expect(offsets).toEqual([
    [0, 2],
    [2, 3],
    [3, 5],
  ]);
  expect(tokenizer.decode(ids)).toBe('欢迎来北京');
});

test('an unseen word becomes <unk> and never throws', async () => {
  const tokenizer = await WordTokenizer.train(['Welcome to Beijing']);
  for (const text of ['', '   ', 'zebra', '👩‍👩‍👧', '\uD800', 'x'.repeat(100_000)]) {
    expect(() => tokenizer.decode(tokenizer.encode(text).ids)).not.toThrow();
  }
  expect(tokenizer.decode(tokenizer.encode('Welcome to zebra').ids)).toBe('Welcome to <unk>');
});

test('natural English spacing needs no marks', async () => {
  const text = "Tom's friend said: hello, world (it's 3.5%)!";
  const tokenizer = await WordTokenizer.train([text]);
  expect(tokenizer.vocabulary.tokens.filter((token) => /[￭▁]/.test(token))).toEqual([]);
  expect(tokenizer.decode(tokenizer.encode(text).ids)).toBe(text);
});

test('unusual spacing is marked on the punctuation and comes back', async () => {
  const text = 'He said "hi". A well-known  word ,  really';
  const tokenizer = await WordTokenizer.train([text]);
  expect(tokenizer.encode(text).tokens).toEqual([
    'He',
    'said',
    '"￭',
    'hi',
    '￭"',
    '.',
    'A',
    'well',
    '￭-￭',
    'known',
    'word',
    '▁,',
    'really',
  ]);
  expect(tokenizer.decode(tokenizer.encode(text).ids)).toBe('He said "hi". A well-known word , really');
});
