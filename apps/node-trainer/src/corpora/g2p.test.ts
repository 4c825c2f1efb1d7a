import { readFileSync } from 'node:fs';
import { beforeAll, expect, test } from 'vitest';
import type { TextPair } from '../data/load-data.js';
import type { CorpusPart } from './corpus-part.js';
import { pronunciations } from './g2p.js';

async function collect(part: CorpusPart, seed = 1): Promise<TextPair[]> {
  const pairs: TextPair[] = [];
  for await (const pair of pronunciations(part, seed)) pairs.push(pair);
  return pairs;
}

const words = (pairs: readonly TextPair[]) => new Set(pairs.map(({ source }) => source));
const parts: Record<CorpusPart, TextPair[]> = { train: [], valid: [], test: [] };
beforeAll(async () => {
  for (const part of ['train', 'valid', 'test'] as const) parts[part] = await collect(part);
});

test('all variants of a word are in one part, together', () => {
  expect(words(parts.valid).size).toBe(1000);
  expect(words(parts.test).size).toBe(1000);
  expect(words(parts.train).size).toBeGreaterThan(120_000);
  const held = new Set([...words(parts.valid), ...words(parts.test)]);
  expect(held.size).toBe(2000);
  expect(parts.train.filter(({ source }) => held.has(source))).toEqual([]);
  const all = Object.values(parts).flat();
  expect(
    all
      .filter(({ source }) => source === 'read')
      .map(({ target }) => target)
      .sort(),
  ).toEqual(['R EH1 D', 'R IY1 D']);
  const at = all.findIndex(({ source }) => source === 'tomato');
  expect(all.slice(at, at + 2)).toEqual([
    { source: 'tomato', target: 'T AH0 M EY1 T OW2' },
    { source: 'tomato', target: 'T AH0 M AA1 T OW2' },
  ]);
});

test('phonemes are ARPAbet, variants have lost their numbers', () => {
  for (const { source, target } of Object.values(parts).flat()) {
    if (!/^[A-Z]{1,2}[012]?( [A-Z]{1,2}[012]?)*$/.test(target) || source.includes('('))
      expect([source, target]).toEqual([]);
  }
});

test('another seed gives another split', async () => {
  expect(words(await collect('test', 2))).not.toEqual(words(parts.test));
});

test("the dictionary's notice comes along", () => {
  const notice = readFileSync(new URL('../../data/cmudict.LICENSE', import.meta.url), 'utf8');
  expect(notice).toContain('Carnegie Mellon University');
  expect(notice).toContain('Redistributions in binary form must reproduce');
});
