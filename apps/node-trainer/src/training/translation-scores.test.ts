import { Normalizer } from '@seqloom/data-tokenizer';
import { expect, test } from 'vitest';
import { scoreTranslations, toItems } from './translation-scores.js';

const pairs = [
  { source: 'Tom is learning.', target: '湯姆在學習。' },
  { source: 'Tea.', target: '茶。' },
];

test('references in the other script are right once they are normalised, and the signature says so', async () => {
  const translations = ['汤姆在学习。', '茶。'];
  const items = toItems(pairs, false);
  const raw = scoreTranslations(translations, items, ['exactMatch'], {});
  expect(raw.exactMatch?.score).toBe(50);
  expect(raw.exactMatch?.signature).not.toContain('|refs:');
  const normalizer = await Normalizer.load(['nfc', 'simplified']);
  const alike = scoreTranslations(translations, items, ['exactMatch'], {}, normalizer);
  expect(alike.exactMatch?.score).toBe(100);
  expect(alike.exactMatch?.signature).toMatch(/\|refs:nfc\+simplified$/);
});

test('variants of one source are one item, each variant once', () => {
  const variants = [...pairs, { source: 'Tea.', target: '喝茶。' }, { source: 'Tea.', target: '茶。' }];
  expect(toItems(variants, true)).toEqual([
    { source: 'Tom is learning.', references: ['湯姆在學習。'] },
    { source: 'Tea.', references: ['茶。', '喝茶。'] },
  ]);
  expect(toItems(variants, false)).toHaveLength(4);
});
