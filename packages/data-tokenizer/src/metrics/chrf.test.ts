import { describe, expect, it } from 'vitest';
import { chrf, chrfMetric } from './chrf.js';

describe('chrf', () => {
  it('is 100 for equal texts and 0 for texts that share no character', () => {
    expect(chrf(['ab cd'], ['ab cd']).score).toBeCloseTo(100, 10);
    expect(chrf(['abc'], ['xyz']).score).toBe(0);
  });

  it('follows its formula on a text worked out by hand', () => {
    // Order 1: 2 of 2 and 2 of 3; order 2: 1 of 1 and 1 of 2; longer orders do not count: P = 1, R = 7/12.
    const recall = (2 / 3 + 1 / 2) / 2;
    expect(chrf(['ab'], ['abc']).score).toBeCloseTo((100 * 5 * recall) / (4 + recall), 10);
  });

  it('does not see white space unless asked to', () => {
    expect(chrf(['a b\tc'], ['abc']).score).toBeCloseTo(100, 10);
    expect(chrf(['a b c'], ['abc'], { whitespace: true }).score).toBeLessThan(100);
  });

  it('counts code points, so that an emoji is one character', () => {
    expect(chrf(['👍x'], ['👍y'], { characterOrder: 1 }).score).toBeCloseTo(50, 10);
  });

  it('sees word order only with word n-grams', () => {
    const [hypothesis, reference] = [['aa aa b'], ['aa b aa']];
    const characters = chrf(hypothesis, reference, { characterOrder: 1 }).score;
    expect(characters).toBeCloseTo(100, 10);
    expect(chrf(hypothesis, reference, { characterOrder: 1, wordOrder: 2 }).score).toBeLessThan(characters);
  });

  it('is called by its β and word order', () => {
    expect(chrfMetric().name).toBe('chrF2');
    expect(chrfMetric({ wordOrder: 2 }).name).toBe('chrF2++');
  });

  it('warns about words only when it uses them', () => {
    expect(chrf(['你好吗'], ['你好吗']).warnings).toEqual([]);
    expect(chrf(['你好吗'], ['你好吗'], { wordOrder: 2 }).warnings).toHaveLength(1);
  });

  it('refuses orders that are no whole numbers', () => {
    expect(() => chrf(['a'], ['a'], { wordOrder: -1 })).toThrow(
      'chrf: wordOrder must be a whole number up to 100; got -1',
    );
    expect(() => chrf(['a'], ['a'], { wordOrder: 1e9 })).toThrow('wordOrder must be a whole number up to 100');
    expect(() => chrf(['a'], ['a'], { beta: 0 })).toThrow('chrf: beta must be positive; got 0');
  });
});
