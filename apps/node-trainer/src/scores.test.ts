import { referenceSets, scoreCorpus } from '@seqloom/data-tokenizer';
import { expect, test } from 'vitest';
import { createMetric, lowerIsBetter, type ScoreName, scoreNames } from './scores.js';

// "read" is right by its second variant; "record" has a wrong stress; "dog" a wrong phoneme.
const hypotheses = ['R IY1 D', 'R EH0 K ER0 D', 'D AO1 K'];
const references = referenceSets([['R EH1 D', 'R IY1 D'], ['R EH1 K ER0 D'], ['D AO1 G']]);
const score = (name: ScoreName, settings = {}) => scoreCorpus(createMetric(name, settings), hypotheses, references);

test('with words as items, wordErrorRate counts words, with stress and without', () => {
  expect(score('wordErrorRate', { items: 'words' }).score).toBeCloseTo(200 / 3);
  expect(score('wordErrorRate', { items: 'words', stripStress: true }).score).toBeCloseTo(100 / 3);
  expect(score('wordErrorRateUnstressed').score).toBeCloseTo(100 / 3);
  expect(score('wordErrorRateUnstressed').signature).toContain('unit:item|stress:no');
  expect(score('wordErrorRate').score).toBeCloseTo((100 * 2) / 11); // the same as of phonemes: symbols count
});

test('phonemeErrorRate counts phonemes, with stress and without', () => {
  expect(score('phonemeErrorRate').score).toBeCloseTo((100 * 2) / 11);
  expect(score('phonemeErrorRateUnstressed').score).toBeCloseTo(100 / 11);
});

test('less is better of loss and error rates', () => {
  expect(scoreNames.filter((name) => !lowerIsBetter.has(name))).toEqual(['bleu', 'chrf', 'exactMatch']);
  expect(lowerIsBetter.has('loss')).toBe(true);
});
