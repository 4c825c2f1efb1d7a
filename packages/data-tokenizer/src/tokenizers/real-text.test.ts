import { existsSync } from 'node:fs';
import * as HuggingFace from '@huggingface/tokenizers';
import { beforeAll, describe, expect, test } from 'vitest';
import { openCorpus, openLines } from '../node/files.js';
import { collect } from '../testing/collect.js';
import { BytePairTokenizer } from './byte-pair-tokenizer.js';
import { WordTokenizer } from './word-tokenizer.js';

const data = new URL('../../../../../shared/data/', import.meta.url);

describe.skipIf(!existsSync(data))('on real text', () => {
  let lines: string[];
  beforeAll(async () => {
    const side = (name: string) => collect(openLines(new URL(`multi30k/train.${name}`, data)));
    lines = [...(await side('de')), ...(await side('en'))];
  });

  test('8,000 pieces are learned from 58,000 lines in under 10 seconds, and encode no slower than @huggingface/tokenizers', async () => {
    let started = performance.now();
    const tokenizer = await BytePairTokenizer.train(lines, { vocabularySize: 8000 });
    expect(performance.now() - started).toBeLessThan(10_000);
    expect(tokenizer.size).toBe(8000);

    const some = lines.filter((_, index) => index % 10 === 0);
    const theirs = new HuggingFace.Tokenizer(tokenizer.toJSON(), {});
    started = performance.now();
    const ours = some.map((line) => [...tokenizer.encode(line).ids]);
    const time = performance.now() - started;
    started = performance.now();
    expect(some.map((line) => theirs.encode(line).ids)).toEqual(ours);
    expect(time).toBeLessThan(performance.now() - started);
  });

  test('both sides of a Chinese corpus come back from words', async () => {
    const corpus = openCorpus(new URL('cmn-eng/valid.tsv', data), { columns: ['en', 'zh'] });
    for (const side of ['en', 'zh'] as const) {
      const texts = await collect(corpus.side(side));
      const tokenizer = await WordTokenizer.train(texts, { locale: side });
      const wrong = texts.filter(
        (text) => tokenizer.decode(tokenizer.encode(text).ids) !== text.trim().replace(/\s+/g, ' '),
      );
      expect(wrong).toEqual([]);
      // Marks are the exception.
      expect(tokenizer.vocabulary.tokens.filter((token) => /[￭▁]/.test(token)).length).toBeLessThan(12);
    }
  });
});
