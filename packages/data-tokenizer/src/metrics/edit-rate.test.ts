import { describe, expect, it } from 'vitest';
import { phonemeErrorRate, wordErrorRate } from './edit-rate.js';
import { referenceSets } from './references.js';

describe('wordErrorRate', () => {
  it('counts insertions, deletions and replacements over reference words', () => {
    const result = wordErrorRate(['the cat sit on mat now'], ['the cat sat on the mat']);
    expect(result).toMatchObject({ edits: 3, refLen: 6, score: 50 });
  });

  it('sums over the corpus before it divides', () => {
    expect(wordErrorRate(['x', 'a b c'], ['a', 'a b c']).score).toBe(25);
  });

  it('may exceed 100, and is 0 or 100 for an empty reference', () => {
    expect(wordErrorRate(['a b c'], ['x']).score).toBe(300);
    expect(wordErrorRate([''], ['']).score).toBe(0);
    expect(wordErrorRate(['a'], ['']).score).toBe(100);
  });

  it('ignores case when asked to', () => {
    expect(wordErrorRate(['A b'], ['a B']).score).toBe(100);
    expect(wordErrorRate(['A b'], ['a B'], { lowercase: true }).score).toBe(0);
  });
});

describe('phonemeErrorRate', () => {
  it('takes the nearest of several pronunciations, the longer of two equally near', () => {
    const variants = referenceSets([['R EH1 D', 'R IY1 D'], ['AH0'], ['K AE1 T', 'K AE1 T S']]);
    expect(phonemeErrorRate(['R IY1 D', 'AH0', 'K AE1 T'], variants)).toMatchObject({ edits: 0, refLen: 7 });
    expect(phonemeErrorRate(['a x'], referenceSets([['a', 'a b']]))).toMatchObject({ edits: 1, refLen: 2 });
    expect(phonemeErrorRate(['a x'], referenceSets([['a b', 'a']]))).toMatchObject({ edits: 1, refLen: 2 });
  });

  it('ignores stress when asked to', () => {
    expect(phonemeErrorRate(['K AE2 T'], ['K AE1 T']).edits).toBe(1);
    expect(phonemeErrorRate(['K AE2 T'], ['K AE1 T'], { stripStress: true }).edits).toBe(0);
  });
});
