import { describe, expect, it } from 'vitest';
import { ter } from './ter.js';
import { countTerEdits } from './ter-edits.js';

const edits = (hypothesis: string, reference: string) => countTerEdits(hypothesis.split(' '), reference.split(' '));

describe('ter', () => {
  it('counts one edit for a word inserted, deleted or replaced', () => {
    expect(edits('a b c d', 'a b c d')).toBe(0);
    expect(edits('a b d', 'a b c d')).toBe(1);
    expect(edits('a b x c d', 'a b c d')).toBe(1);
    expect(edits('a x c d', 'a b c d')).toBe(1);
  });

  it('counts one edit for a block of words moved, in either direction', () => {
    expect(edits('d e f a b c', 'a b c d e f')).toBe(1);
    expect(edits('c a b', 'a b c')).toBe(1);
    expect(edits('b c a', 'a b c')).toBe(1);
  });

  it('moves no block longer than ten words in one edit', () => {
    const block = Array.from({ length: 11 }, (_, index) => `x${index}`);
    const rest = Array.from({ length: 20 }, (_, index) => `y${index}`);
    const moved = countTerEdits([...block, ...rest], [...rest, ...block]);
    expect(moved).toBe(2);
    expect(countTerEdits([...block.slice(1), ...rest], [...rest, ...block.slice(1)])).toBe(1);
  });

  it('takes seconds for a line of 21,000 words', () => {
    const reference = Array.from({ length: 21_000 }, (_, i) => `x${(i * i) % 997}`);
    const hypothesis = reference.flatMap((word, i) => (i % 11 === 0 ? [] : i % 7 === 0 ? ['y', word] : [word]));
    const start = performance.now();
    expect(countTerEdits(hypothesis, reference)).toBe(4364);
    expect(performance.now() - start).toBeLessThan(10_000);
  });

  it('scores empty texts', () => {
    expect(ter([''], ['']).score).toBe(0);
    expect(ter(['a b'], ['']).score).toBe(100);
    expect(ter([''], ['a b']).score).toBe(100);
  });

  it('takes the fewest edits over the references and their mean length', () => {
    const result = ter(['a b c'], [['a b c d e'], ['a b d']]);
    expect(result).toMatchObject({ edits: 1, refLen: 4, score: 25 });
  });

  it('ignores case unless asked not to', () => {
    expect(ter(['The Cat'], ['the cat']).score).toBe(0);
    expect(ter(['The Cat'], ['the cat'], { caseSensitive: true }).score).toBe(100);
  });

  it('warns when Chinese is one word a sentence', () => {
    expect(ter(['你好吗'], ['你好吗']).warnings).toEqual([
      'TER takes words from spaces, but 100 % of the letters are Chinese: use normalized and asianSupport',
    ]);
    expect(ter(['你好吗'], ['你好吗'], { normalized: true, asianSupport: true }).warnings).toEqual([]);
  });
});
