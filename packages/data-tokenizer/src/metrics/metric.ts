import { alignReferences, type References } from './references.js';

/**
 * A score over a corpus: each sentence gives a row of numbers, the rows are summed, and one formula makes the score of
 * the sums. That split is what bootstrap resampling needs, so every score here is written in it.
 */
export interface Metric<Score extends { readonly score: number }> {
  /** How the score is called: `BLEU`, `chrF2++`, `TER`. */
  readonly name: string;
  /** The settings that change the score, as they stand in the signature: `['case:mixed', …]`. */
  readonly settings: readonly string[];
  /** The row of one sentence, always equally long. */
  statistics(hypothesis: string, references: readonly string[]): number[];
  /** The score of summed rows. */
  score(sums: readonly number[]): Score;
  /** What a careful reader should know before trusting the score of these texts. */
  warnings(hypotheses: readonly string[], references: readonly (readonly string[])[]): string[];
}

/** What every score comes with: the settings it was taken with, and warnings as values (nothing is printed). */
export interface Scored {
  /** sacreBLEU's signature, with our own version: two scores are comparable when their signatures are equal. */
  readonly signature: string;
  readonly warnings: readonly string[];
}

/**
 * The version in signatures. It is raised whenever any score could change for the same texts and settings, and only
 * then; scores equal those of sacreBLEU 2.6.0.
 */
const VERSION = 'seqloom-1';

/** `nrefs:1|…settings…|version:seqloom-1`. */
export function signatureOf(references: number | 'var', settings: readonly string[]): string {
  return [`nrefs:${references}`, ...settings, `version:${VERSION}`].join('|');
}

/**
 * The score of a corpus under a metric.
 *
 * @param hypotheses one text a sentence
 * @param references one reference a sentence, or several sets of them
 * @throws when the numbers of sentences differ or are zero
 */
export function scoreCorpus<Score extends { readonly score: number }>(
  metric: Metric<Score>,
  hypotheses: readonly string[],
  references: References,
): Score & Scored {
  const aligned = alignReferences(metric.name, hypotheses, references);
  const sums: number[] = [];
  for (const [line, hypothesis] of hypotheses.entries()) {
    const row = metric.statistics(hypothesis, aligned.sentences[line] as readonly string[]);
    for (const [column, value] of row.entries()) sums[column] = (sums[column] ?? 0) + value;
  }
  return {
    ...metric.score(sums),
    signature: signatureOf(aligned.perSentence, metric.settings),
    warnings: metric.warnings(hypotheses, aligned.sentences),
  };
}
