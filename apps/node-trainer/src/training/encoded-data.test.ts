import { expect, test } from 'vitest';
import { untrainedTranslator } from '../testing/untrained-translator.js';
import { encodePart } from './encoded-data.js';

test('a pair that is too long has no ids, and is measured all the same', async () => {
  const { codec } = await untrainedTranslator(); // takes 8 pieces
  const pairs = [
    { source: '我 喜欢 猫', target: 'I like cats' },
    { source: '我 喜欢 猫 。'.repeat(3), target: 'I like cats .' },
    { source: '她 喜欢 茶', target: 'she likes tea' },
  ];
  const part = encodePart(pairs, codec);
  expect(part.all).toBe(pairs);
  expect(part.pairs).toEqual([pairs[0], pairs[2]]);
  expect([part.ids.length, part.tooLong]).toEqual([2, 1]);
  expect(() => encodePart([pairs[1]!], codec)).toThrow('every pair has a side of more than 8 pieces');
});
