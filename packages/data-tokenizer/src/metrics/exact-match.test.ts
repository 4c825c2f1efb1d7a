import { describe, expect, it } from 'vitest';
import { exactMatch } from './exact-match.js';
import { referenceSets } from './references.js';

describe('exactMatch', () => {
  it('is the share of outputs equal to a reference', () => {
    expect(exactMatch(['a b', 'c'], ['a b', 'd'])).toMatchObject({ score: 50, matches: 1, total: 2 });
    expect(exactMatch(['b'], referenceSets([['a', 'b']])).score).toBe(100);
  });

  it('does not compare how much white space there is', () => {
    expect(exactMatch([' a  b '], ['a b']).score).toBe(100);
    expect(exactMatch(['ab'], ['a b']).score).toBe(0);
  });

  it('compares case unless told not to', () => {
    expect(exactMatch(['Hi'], ['hi']).score).toBe(0);
    expect(exactMatch(['Hi'], ['hi'], { lowercase: true }).score).toBe(100);
  });
});
