import { expect, test } from 'vitest';
import { HashSet } from './hash-set.js';

test('knows what was added, and nothing else', () => {
  const set = new HashSet();
  const texts = Array.from({ length: 200_000 }, (_, i) => `line ${i}\t行 ${i}`);
  expect(texts.filter((text) => !set.add(text))).toEqual([]);
  expect(texts.filter((text) => set.add(text))).toEqual([]);
  expect(['', ' ', 'line', 'a\tb', 'b\ta', '\t'].filter((text) => !set.add(text))).toEqual([]);
});

test('a part of a text is the text that it is', () => {
  const set = new HashSet();
  expect([set.add('abcd', 1, 3), set.add('bc'), set.add('bcd', 0, 2), set.add('bcd'), set.size]).toEqual([
    true,
    false,
    false,
    true,
    2,
  ]);
});
