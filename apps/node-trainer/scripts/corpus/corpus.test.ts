import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { makeCorpus } from './corpus.js';
import { pattern, sentence } from './pattern.js';
import { patterns } from './patterns/index.js';
import { corpusFile, corpusSeed, toTsv } from './tsv.js';
import { WordCounts, wordsOf } from './words.js';

const corpus = makeCorpus(patterns, corpusSeed);
const parts = ['training', 'heldOut'] as const;
const all = [...corpus.training, ...corpus.heldOut];

describe('the embedded corpus', () => {
  it('is what the grammar makes, byte for byte', () => {
    for (const part of parts) expect(readFileSync(corpusFile(part), 'utf8') === toTsv(corpus[part]), part).toBe(true);
  });

  it('has a few thousand training pairs and at least 300 held-out ones', () => {
    expect(corpus.training.length).toBeGreaterThan(4000);
    expect(corpus.training.length).toBeLessThan(6000);
    expect(corpus.heldOut.length).toBeGreaterThanOrEqual(300);
  });

  it('gives each Chinese sentence once, with one translation', () => {
    expect(new Set(all.map(({ zh }) => zh)).size).toBe(all.length);
  });

  it('shares no sentence of either language between its parts', () => {
    for (const language of ['zh', 'en'] as const) {
      const trained = new Set(corpus.training.map((each) => each[language]));
      expect(corpus.heldOut.filter((each) => trained.has(each[language]))).toEqual([]);
    }
  });

  it('holds out combinations, not single sentences', () => {
    const held = new Set(corpus.heldOut.map(({ zh }) => zh));
    const trained = new Set(corpus.training.map(({ zh }) => zh));
    for (const { name, sentences } of patterns) {
      const combinations = (of: Set<string>) =>
        new Set(sentences.filter(({ zh }) => of.has(zh)).map(({ combination }) => combination));
      expect(
        [...combinations(held)].filter((each) => combinations(trained).has(each)),
        name,
      ).toEqual([]);
    }
  });

  it('uses each held-out word in at least five training sentences', () => {
    const counts = new WordCounts(corpus.training);
    expect(corpus.heldOut.filter((each) => counts.rarest(each) < 5)).toEqual([]);
  });

  it('holds out the welcome to Beijing, in three words that training has', () => {
    expect(corpus.heldOut).toContainEqual(expect.objectContaining({ zh: '欢迎来北京', en: 'Welcome to Beijing' }));
    expect(wordsOf('zh', '欢迎来北京')).toEqual(['欢迎', '来', '北京']);
    const welcomes = corpus.training.filter(({ zh }) => zh.startsWith('欢迎来'));
    expect(welcomes.filter(({ zh }) => zh.includes('北京'))).toEqual([]);
    expect(welcomes.filter(({ zh }) => /[。！]$/.test(zh)).length).toBeGreaterThan(10);
    expect(welcomes.filter(({ zh }) => !/[。！]$/.test(zh)).length).toBeGreaterThan(10);
  });

  it('is written as people write it', () => {
    for (const { zh, en } of all) {
      expect(zh).toMatch(/^[\p{Script=Han}，]+[。？！]?$/u);
      expect(en).toMatch(/^[A-Z][A-Za-z,' ]+[.?!]?$/);
      expect(en).not.toMatch(/ {2}|\ba [aeio]|\ban [^aeiou]/);
      const mark = { '。': '.', '？': '?', '！': '!' }[zh.at(-1) as string] ?? '';
      expect(/[.?!]$/.test(en) ? en.at(-1) : '', zh).toBe(mark);
    }
  });
});

describe('makeCorpus', () => {
  it('gives the same for the same seed, another for another', () => {
    expect(makeCorpus(patterns, 5)).toEqual(makeCorpus(patterns, 5));
    expect(makeCorpus(patterns, 5).training).not.toEqual(corpus.training);
  });

  it('refuses a sentence with two translations', () => {
    const he = sentence('他好', 'he is fine', { zh: '他' });
    const well = sentence('他好', 'he is well', { zh: '他' });
    expect(() => makeCorpus([pattern('one', 1, 0, [he]), pattern('two', 1, 0, [well])], 1)).toThrow(
      'makeCorpus: 他好 is "He is fine" and, in the pattern "two", "He is well"',
    );
  });

  it('refuses to hold out what training does not prepare for', () => {
    expect(() => makeCorpus([pattern('one', 1, 1, [sentence('他好', 'he is fine', { zh: '他' })])], 1)).toThrow(
      'makeCorpus: "one" has to hold out 1 sentences',
    );
  });
});
