import { describe, expect, it } from 'vitest';
import { alignReferences, referenceSets } from './references.js';

describe('alignReferences', () => {
  it('gives each sentence its references in the order of the sets', () => {
    expect(alignReferences('x', ['h', 'i'], ['a', 'b'])).toEqual({ sentences: [['a'], ['b']], perSentence: 1 });
    expect(
      alignReferences(
        'x',
        ['h', 'i'],
        [
          ['a', 'b'],
          ['c', 'd'],
        ],
      ),
    ).toEqual({
      sentences: [
        ['a', 'c'],
        ['b', 'd'],
      ],
      perSentence: 2,
    });
  });

  it('names both counts when the lengths differ', () => {
    expect(() => alignReferences('bleu', ['h', 'i'], ['a'])).toThrow(
      'bleu: hypotheses and references must be equally many; got 2 hypotheses and 1 references',
    );
    expect(() => alignReferences('bleu', ['h'], [['a'], ['b', 'c']])).toThrow(
      'got 1 hypotheses and 2 references of set 2',
    );
    expect(() => alignReferences('bleu', ['h'], [])).toThrow('got 1 hypotheses and 0 references');
  });

  it('refuses what is no array of texts', () => {
    const rule = 'bleu: hypotheses must be an array of texts, and references one or an array of such arrays';
    expect(() => alignReferences('bleu', ['h'], 'a' as unknown as string[])).toThrow(rule);
    expect(() => alignReferences('bleu', [3 as unknown as string], ['a'])).toThrow(rule);
    expect(() => alignReferences('bleu', ['h'], [['a'], 'b'] as unknown as string[][])).toThrow(rule);
  });

  it('refuses an empty corpus and a sentence without a reference', () => {
    expect(() => alignReferences('bleu', [], [])).toThrow('bleu: there must be at least one sentence to score; got 0');
    expect(() => alignReferences('bleu', ['h', 'i'], [['a', undefined]])).toThrow(
      'sentence 2 has none in any of the 1 sets',
    );
  });
});

describe('referenceSets', () => {
  it('turns the variants of each sentence into sets', () => {
    expect(referenceSets([['a', 'b'], ['c']])).toEqual([
      ['a', 'c'],
      ['b', undefined],
    ]);
    expect(referenceSets([])).toEqual([]);
  });
});
