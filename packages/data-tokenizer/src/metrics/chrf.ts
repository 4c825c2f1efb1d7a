// chrF (Popović 2015) and chrF++ (Popović 2017) as sacreBLEU computes them: an F-score over character n-grams and, for
// chrF++, word n-grams.
import { warnIfUnspaced } from './cjk-warning.js';
import { type Metric, type Scored, scoreCorpus } from './metric.js';
import { countCharacterNgrams, countMatches, countWordNgrams, type NgramCounts } from './ngrams.js';
import type { References } from './references.js';
import { removeSpace, splitWords } from './whitespace.js';

export interface ChrfOptions {
  /** The longest character n-gram; 6 by default. */
  readonly characterOrder?: number;
  /** The longest word n-gram: 0 (the default) is chrF, 2 is chrF++. */
  readonly wordOrder?: number;
  /** How many times recall counts as much as precision; 2 by default. */
  readonly beta?: number;
  /** Compare in lower case; off by default. */
  readonly lowercase?: boolean;
  /** Let white space be a character; off by default. */
  readonly whitespace?: boolean;
  /** Average the F-scores of all orders, as chrF++.py does, instead of leaving out those that a text is too short for. */
  readonly epsilonSmoothing?: boolean;
}

export interface ChrfScore {
  /** 0 to 100. */
  readonly score: number;
}

const EPSILON = 1e-16;
const ASCII_PUNCTUATION = new Set('!"#$%&\'()*+,-./:;<=>?@[\\]^_`{|}~');

/**
 * chrFβ = (1 + β²) P R / (β² P + R), with P and R the n-gram precision and recall averaged over the orders that both
 * texts are long enough for. With several references, the one that gives a sentence the best score counts.
 *
 * Equals sacreBLEU's corpus score, with its signature but for the version.
 *
 * @param hypotheses one text a sentence
 * @param references one reference a sentence, or several sets of them
 * @throws when the numbers of sentences differ or are zero, or an order is not a whole number
 * @example
 * chrf(['the cat sat'], ['the cat sat down'], { wordOrder: 2 }).score // chrF++
 */
export function chrf(
  hypotheses: readonly string[],
  references: References,
  options: ChrfOptions = {},
): ChrfScore & Scored {
  return scoreCorpus(chrfMetric(options), hypotheses, references);
}

// No text is compared by longer ones; more would only take memory.
const longestOrder = 100;

/** chrF as a metric, for `pairedBootstrap` and `bootstrapConfidence`. */
export function chrfMetric(options: ChrfOptions = {}): Metric<ChrfScore> {
  const { characterOrder = 6, wordOrder = 0, beta = 2, lowercase = false } = options;
  const { whitespace = false, epsilonSmoothing = false } = options;
  for (const [name, order] of Object.entries({ characterOrder, wordOrder })) {
    if (!Number.isInteger(order) || order < 0 || order > longestOrder)
      throw new Error(`chrf: ${name} must be a whole number up to ${longestOrder}; got ${order}`);
  }
  if (!(beta > 0)) throw new Error(`chrf: beta must be positive; got ${beta}`);

  const ngrams = (raw: string): NgramCounts[] => {
    const text = lowercase ? raw.toLowerCase() : raw;
    const characters = whitespace ? text : removeSpace(text);
    const words = wordOrder > 0 ? wordsAndPunctuation(text) : [];
    return [
      ...Array.from({ length: characterOrder }, (_, index) => countCharacterNgrams(characters, index + 1)),
      ...Array.from({ length: wordOrder }, (_, index) => countWordNgrams(words, index + 1)),
    ];
  };
  const fScore = (rows: readonly number[]) => (epsilonSmoothing ? meanFScore(rows, beta) : fScoreOfMeans(rows, beta));
  const name = `chrF${beta}${'+'.repeat(wordOrder)}`;

  return {
    name,
    settings: [
      `case:${lowercase ? 'lc' : 'mixed'}`,
      `eff:${epsilonSmoothing ? 'no' : 'yes'}`,
      `nc:${characterOrder}`,
      `nw:${wordOrder}`,
      `space:${whitespace ? 'yes' : 'no'}`,
    ],
    statistics(hypothesis, references) {
      const own = ngrams(hypothesis);
      let best: number[] = [];
      let bestScore = Number.NEGATIVE_INFINITY;
      for (const reference of references) {
        const row = compareNgrams(own, ngrams(reference));
        const score = fScore(row);
        if (score <= bestScore) continue;
        best = row;
        bestScore = score;
      }
      return best;
    },
    score: (sums) => ({ score: fScore(sums) }),
    warnings: (_, references) =>
      wordOrder === 0 ? [] : warnIfUnspaced(name, references.flat(), () => 'use wordOrder 0, which needs no words'),
  };
}

/** For each order three numbers: n-grams of the hypothesis, n-grams of the reference, matches. */
function compareNgrams(hypothesis: readonly NgramCounts[], reference: readonly NgramCounts[]): number[] {
  return hypothesis.flatMap((own, index) => {
    const theirs = reference[index] as NgramCounts;
    // An order that the reference is too short for is no fault of the hypothesis.
    return [theirs.size > 0 ? total(own) : 0, total(theirs), countMatches(own, theirs)];
  });
}

function total(counts: NgramCounts): number {
  let sum = 0;
  for (const count of counts.values()) sum += count;
  return sum;
}

function fScoreOfMeans(row: readonly number[], beta: number): number {
  let precision = 0;
  let recall = 0;
  let orders = 0;
  for (let at = 0; at < row.length; at += 3) {
    const [own = 0, theirs = 0, matches = 0] = row.slice(at, at + 3);
    if (own === 0 || theirs === 0) continue;
    precision += matches / own;
    recall += matches / theirs;
    orders += 1;
  }
  return precision + recall === 0 ? 0 : 100 * harmonic(precision / orders, recall / orders, beta);
}

function meanFScore(row: readonly number[], beta: number): number {
  let sum = 0;
  for (let at = 0; at < row.length; at += 3) {
    const [own = 0, theirs = 0, matches = 0] = row.slice(at, at + 3);
    const precision = own > 0 ? matches / own : EPSILON;
    const recall = theirs > 0 ? matches / theirs : EPSILON;
    sum += precision + recall > 0 ? harmonic(precision, recall, beta) : EPSILON;
  }
  return (100 * sum) / (row.length / 3);
}

function harmonic(precision: number, recall: number, beta: number): number {
  return ((1 + beta ** 2) * precision * recall) / (beta ** 2 * precision + recall);
}

/** Words with one punctuation mark taken off: the last character if it is one, else the first. */
function wordsAndPunctuation(text: string): string[] {
  return splitWords(text).flatMap((word) => {
    const characters = [...word];
    if (characters.length === 1) return [word];
    if (ASCII_PUNCTUATION.has(word.at(-1) as string)) return [word.slice(0, -1), word.slice(-1)];
    if (ASCII_PUNCTUATION.has(word[0] as string)) return [word.slice(0, 1), word.slice(1)];
    return [word];
  });
}
