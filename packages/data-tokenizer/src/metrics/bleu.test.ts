import { describe, expect, it } from 'vitest';
import { bleu, sentenceBleu } from './bleu.js';

describe('bleu', () => {
  it('is 100 for equal texts and 0 for texts that share no word', () => {
    const texts = ['The cat sat on the mat.', 'It was warm there.'];
    expect(bleu(texts, texts).score).toBeCloseTo(100, 10);
    expect(bleu(['a b c d e'], ['v w x y z']).score).toBe(0);
  });

  it('follows its formula on a sentence worked out by hand', () => {
    // 3 of 3, 2 of 2, 1 of 1 n-grams match and no 4-gram exists, so the first three orders count; 3 words against 4.
    const result = sentenceBleu('the cat sat', 'the cat sat down');
    expect(result.precisions).toEqual([100, 100, 100, 0]);
    expect(result.bp).toBeCloseTo(Math.exp(1 - 4 / 3), 12);
    expect(result.score).toBeCloseTo(100 * Math.exp(1 - 4 / 3), 10);
  });

  it('clips repeated words at their count in the reference', () => {
    expect(bleu(['the the the the'], ['the cat is here']).counts[0]).toBe(1);
  });

  it('takes the reference nearest in length, the shorter of two', () => {
    expect(bleu(['a b c d'], [['a b c d e f'], ['a b']]).refLen).toBe(2);
  });

  it('accepts sets that lack a reference for some sentences, and says so in the signature', () => {
    const result = bleu(
      ['one two three four', 'five'],
      [
        ['one two three four', 'five'],
        ['1 2 3 4', undefined],
      ],
    );
    expect(result.score).toBeCloseTo(100, 10);
    expect(result.signature).toMatch(/^nrefs:var\|/);
  });

  it('writes its settings into the signature', () => {
    const options = { tokenize: 'zh', lowercase: true, smoothing: 'floor', effectiveOrder: true } as const;
    expect(bleu(['好'], ['好'], options).signature).toMatch(
      /^nrefs:1\|case:lc\|eff:yes\|tok:zh\|smooth:floor\[0\.10\]\|version:seqloom-\d+$/,
    );
  });

  it('warns when Chinese or Japanese is scored with a tokenizer that needs spaces', () => {
    const chinese = ['我明天去图书馆。', '你好'];
    expect(bleu(chinese, chinese).warnings).toEqual([
      "BLEU with tokenize '13a' takes words from spaces, but 100 % of the letters are Chinese: use tokenize 'zh'",
    ]);
    expect(bleu(['本を読みました'], ['本を読みました'], { tokenize: 'intl' }).warnings[0]).toMatch(
      /Japanese: use tokenize 'char'/,
    );
    expect(bleu(chinese, chinese, { tokenize: 'zh' }).warnings).toEqual([]);
    expect(bleu(['We met 李雷 in Hangzhou in spring.'], ['We met 李雷 in Hangzhou in spring.']).warnings).toEqual([]);
  });

  it('warns when the text looks tokenized', () => {
    const lines = Array.from({ length: 100 }, () => 'It is late .');
    expect(bleu(lines, lines).warnings[0]).toMatch(/^100 hypotheses end in ' \.'/);
    expect(bleu(lines.slice(1), lines.slice(1)).warnings).toEqual([]);
  });

  it('refuses options it does not know, naming those it does', () => {
    expect(() => bleu(['a'], ['a'], { tokenize: 'moses' as 'none' })).toThrow(
      'bleu: tokenize must be one of 13a, intl, zh, char, none; got moses',
    );
    expect(() => bleu(['a'], ['a'], { smoothing: 'laplace' as 'none' })).toThrow('bleu: smoothing must be one of');
    expect(() => bleu(['a'], ['a'], { maxOrder: 0 })).toThrow('bleu: maxOrder must be a positive integer; got 0');
  });
});
