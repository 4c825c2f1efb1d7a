// The share of outputs that are right as a whole.
import { type Metric, type Scored, scoreCorpus } from './metric.js';
import type { References } from './references.js';
import { splitWords } from './whitespace.js';

export interface ExactMatchOptions {
  /** Compare in lower case; off by default. */
  readonly lowercase?: boolean;
}

export interface ExactMatchScore {
  /** Right outputs in percent. */
  readonly score: number;
  readonly matches: number;
  readonly total: number;
}

/**
 * 100 · outputs equal to one of their references / outputs. White space at the ends, and how much of it stands between
 * words, is not compared.
 *
 * @throws when the numbers of sequences differ or are zero
 * @example
 * exactMatch(['Welcome to Beijing', 'Hi'], ['Welcome to Beijing', 'Hello']).score // 50
 */
export function exactMatch(
  hypotheses: readonly string[],
  references: References,
  options: ExactMatchOptions = {},
): ExactMatchScore & Scored {
  return scoreCorpus(exactMatchMetric(options), hypotheses, references);
}

/** Exact match as a metric, for `pairedBootstrap` and `bootstrapConfidence`. */
export function exactMatchMetric({ lowercase = false }: ExactMatchOptions = {}): Metric<ExactMatchScore> {
  const plain = (text: string) => splitWords(lowercase ? text.toLowerCase() : text).join(' ');
  return {
    name: 'exact match',
    settings: [`case:${lowercase ? 'lc' : 'mixed'}`],
    statistics(hypothesis, references) {
      const own = plain(hypothesis);
      return [references.some((reference) => plain(reference) === own) ? 1 : 0, 1];
    },
    score: ([matches = 0, total = 0]) => ({ score: (100 * matches) / total, matches, total }),
    warnings: () => [],
  };
}
