// Word and phoneme error rates: Levenshtein distance over reference length, for tasks whose output is a sequence of
// symbols rather than a translation.
import { type Metric, type Scored, scoreCorpus } from './metric.js';
import type { References } from './references.js';
import { splitWords } from './whitespace.js';

export interface WordErrorRateOptions {
  /** Compare in lower case; off by default. */
  readonly lowercase?: boolean;
}

export interface PhonemeErrorRateOptions {
  /** Ignore the digits at the end of ARPAbet vowels (`AH0` → `AH`); off by default. */
  readonly stripStress?: boolean;
}

export interface EditRateScore {
  /** Edits per hundred reference symbols: 0 is perfect, and it may exceed 100. */
  readonly score: number;
  /** Symbols inserted, deleted or replaced, each sequence against its nearest reference. */
  readonly edits: number;
  /** Symbols of those references. */
  readonly refLen: number;
}

/**
 * WER = 100 · Levenshtein distance in words / reference words; words are what white space separates.
 *
 * With several references the nearest one counts, the longer of two equally near; `referenceSets` makes sets from the
 * variants of each item.
 *
 * @throws when the numbers of sequences differ or are zero
 * @example
 * wordErrorRate(['the cat sit'], ['the cat sat']).score // 33.3…
 */
export function wordErrorRate(
  hypotheses: readonly string[],
  references: References,
  options: WordErrorRateOptions = {},
): EditRateScore & Scored {
  return scoreCorpus(wordErrorRateMetric(options), hypotheses, references);
}

/**
 * PER: the same over phonemes separated by spaces, as in `HH AH0 L OW1`.
 *
 * @throws when the numbers of sequences differ or are zero
 * @example
 * phonemeErrorRate(['R EH1 D'], referenceSets([['R EH1 D', 'R IY1 D']])).score // 0
 */
export function phonemeErrorRate(
  hypotheses: readonly string[],
  references: References,
  options: PhonemeErrorRateOptions = {},
): EditRateScore & Scored {
  return scoreCorpus(phonemeErrorRateMetric(options), hypotheses, references);
}

/** WER as a metric, for `pairedBootstrap` and `bootstrapConfidence`. */
export function wordErrorRateMetric({ lowercase = false }: WordErrorRateOptions = {}): Metric<EditRateScore> {
  return editRateMetric('WER', [`case:${lowercase ? 'lc' : 'mixed'}`], (text) =>
    splitWords(lowercase ? text.toLowerCase() : text),
  );
}

/** PER as a metric, for `pairedBootstrap` and `bootstrapConfidence`. */
export function phonemeErrorRateMetric({ stripStress = false }: PhonemeErrorRateOptions = {}): Metric<EditRateScore> {
  return editRateMetric('PER', [`stress:${stripStress ? 'no' : 'yes'}`], (text) =>
    stripStress ? splitWords(text).map((phoneme) => phoneme.replace(/[0-2]$/, '')) : splitWords(text),
  );
}

function editRateMetric(name: string, settings: string[], split: (text: string) => string[]): Metric<EditRateScore> {
  return {
    name,
    settings,
    statistics(hypothesis, references) {
      const own = split(hypothesis);
      const candidates = references.map((reference) => {
        const theirs = split(reference);
        return { edits: levenshtein(own, theirs), refLen: theirs.length };
      });
      const best = candidates.reduce((a, b) =>
        b.edits < a.edits || (b.edits === a.edits && b.refLen > a.refLen) ? b : a,
      );
      return [best.edits, best.refLen];
    },
    score: ([edits = 0, refLen = 0]) => ({
      score: refLen > 0 ? (100 * edits) / refLen : edits > 0 ? 100 : 0,
      edits,
      refLen,
    }),
    warnings: () => [],
  };
}

/** The least number of insertions, deletions and replacements that make `b` of `a`. */
function levenshtein(a: readonly string[], b: readonly string[]): number {
  let above = Uint32Array.from({ length: b.length + 1 }, (_, column) => column);
  let row = new Uint32Array(b.length + 1);
  for (const [index, symbol] of a.entries()) {
    row[0] = index + 1;
    for (let column = 1; column <= b.length; column++) {
      const replacing = (above[column - 1] as number) + (symbol === b[column - 1] ? 0 : 1);
      row[column] = Math.min(replacing, (above[column] as number) + 1, (row[column - 1] as number) + 1);
    }
    [above, row] = [row, above];
  }
  return above[b.length] as number;
}
