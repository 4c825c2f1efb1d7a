import { expect, test } from 'vitest';
import { countPieces } from './count-pieces.js';

const cut = (text: string) => text.split(' ');

test('every piece is counted, whatever comes between', async () => {
  expect(Object.fromEntries(await countPieces(['a b a', '', 'b a'], cut))).toEqual({ a: 3, b: 2, '': 1 });
});

test('with more different pieces than the limit, the rare ones are forgotten and the frequent ones kept', async () => {
  const texts = Array.from({ length: 5000 }, (_, i) => `the number ${i}`);
  const counts = await countPieces(texts, cut, 100);
  expect(counts.size).toBeLessThanOrEqual(102);
  expect([counts.get('the'), counts.get('number')]).toEqual([5000, 5000]);
});

test('pieces that are all equally frequent do not outgrow the limit either', async () => {
  const texts = Array.from({ length: 3000 }, (_, i) => `${i >> 1} ${i >> 1}`);
  expect((await countPieces(texts, cut, 100)).size).toBeLessThanOrEqual(100);
});
