// Translation edit rate (Snover et al. 2006) as sacreBLEU computes it.
import { warnIfUnspaced } from './cjk-warning.js';
import { type Metric, type Scored, scoreCorpus } from './metric.js';
import type { References } from './references.js';
import { countTerEdits } from './ter-edits.js';
import { type TerWordOptions, terWords } from './ter-words.js';

export type TerOptions = TerWordOptions;

export interface TerScore {
  /** Edits per hundred reference words: 0 is perfect, and it may exceed 100. */
  readonly score: number;
  /** Edits of all sentences, each against the reference that needs fewest. */
  readonly edits: number;
  /** Words of the references, averaged over the references of a sentence. */
  readonly refLen: number;
}

/**
 * TER = 100 · edits / reference words, where an edit inserts, deletes or replaces a word or shifts a block of words.
 *
 * Equals sacreBLEU's corpus score, with its signature but for the version. Lower is better.
 *
 * @param hypotheses one text a sentence
 * @param references one reference a sentence, or several sets of them
 * @throws when the numbers of sentences differ or are zero
 * @example
 * ter(['sat the cat'], ['the cat sat']).score // 33.3…: one shift over three words
 */
export function ter(
  hypotheses: readonly string[],
  references: References,
  options: TerOptions = {},
): TerScore & Scored {
  return scoreCorpus(terMetric(options), hypotheses, references);
}

/** TER as a metric, for `pairedBootstrap` and `bootstrapConfidence`. */
export function terMetric(options: TerOptions = {}): Metric<TerScore> {
  const yesOrNo = (value: boolean | undefined) => (value ? 'yes' : 'no');
  return {
    name: 'TER',
    settings: [
      `case:${options.caseSensitive ? 'mixed' : 'lc'}`,
      'tok:tercom',
      `norm:${yesOrNo(options.normalized)}`,
      `punct:${yesOrNo(!options.noPunctuation)}`,
      `asian:${yesOrNo(options.asianSupport)}`,
    ],
    statistics(hypothesis, references) {
      const own = terWords(hypothesis, options);
      // sacreBLEU normalizes references twice, which splits `x's.` once more; equal scores need the same.
      const theirs = references.map((reference) => terWords(terWords(reference, options).join(' '), options));
      const edits = Math.min(...theirs.map((reference) => countTerEdits(own, reference)));
      return [edits, theirs.reduce((sum, reference) => sum + reference.length, 0) / theirs.length];
    },
    score: ([edits = 0, refLen = 0]) => ({ score: rate(edits, refLen), edits, refLen }),
    warnings: (_, references) =>
      options.normalized && options.asianSupport
        ? []
        : warnIfUnspaced('TER', references.flat(), () => 'use normalized and asianSupport'),
  };
}

function rate(edits: number, refLen: number): number {
  if (refLen > 0) return (100 * edits) / refLen;
  return edits > 0 ? 100 : 0;
}
