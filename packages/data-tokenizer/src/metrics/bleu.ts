// BLEU (Papineni et al. 2002) as sacreBLEU computes it: the share of a translation's 1- to 4-grams that the reference
// has too, with a penalty for being shorter.
import { type BleuTokenizerName, bleuTokenizers } from './bleu-tokenizers.js';
import { warnIfUnspaced } from './cjk-warning.js';
import { type Metric, type Scored, scoreCorpus } from './metric.js';
import { countWordNgrams, type NgramCounts } from './ngrams.js';
import type { References } from './references.js';
import { trimEnd } from './whitespace.js';

/** What becomes of an order of n-grams without a match (Chen and Cherry 2014, methods 1–3). */
export type BleuSmoothing = 'exp' | 'floor' | 'add-k' | 'none';

export interface BleuOptions {
  /** How words are found; `13a` by default. Chinese needs `zh`, Japanese `char`. */
  readonly tokenize?: BleuTokenizerName;
  /** Compare in lower case; off by default. */
  readonly lowercase?: boolean;
  /**
   * `exp` (the default) halves the precision for each order without a match, `floor` counts `smoothingValue` matches
   * there, `add-k` adds `smoothingValue` to the counts of all orders above one, `none` leaves the score zero.
   */
  readonly smoothing?: BleuSmoothing;
  /** For `floor` (0.1 by default) and `add-k` (1 by default). */
  readonly smoothingValue?: number;
  /** Leave out orders longer than the text; off by default, and wanted for single sentences. */
  readonly effectiveOrder?: boolean;
  /** The longest n-gram; 4 by default. */
  readonly maxOrder?: number;
}

export interface BleuScore {
  /** 0 to 100. */
  readonly score: number;
  /** Of the 1-grams, 2-grams, …: the share that matched, in percent, after smoothing. */
  readonly precisions: readonly number[];
  /** The brevity penalty, 0 to 1. */
  readonly bp: number;
  /** Words of the hypotheses. */
  readonly sysLen: number;
  /** Words of the references; with several, of the one closest in length to each hypothesis. */
  readonly refLen: number;
  /** Matched n-grams by order, before smoothing. */
  readonly counts: readonly number[];
  /** N-grams of the hypotheses by order, before smoothing. */
  readonly totals: readonly number[];
}

const SMOOTHING_DEFAULTS: Readonly<Record<BleuSmoothing, number | undefined>> = {
  exp: undefined,
  floor: 0.1,
  'add-k': 1,
  none: undefined,
};

/**
 * BLEU = bp · exp(mean over n of log p_n), with p_n the clipped n-gram precision and bp = exp(1 − refLen / sysLen) when
 * the hypotheses are shorter than the references, else 1.
 *
 * Equals sacreBLEU's corpus score, with its signature but for the version.
 *
 * @param hypotheses one text a sentence
 * @param references one reference a sentence, or several sets of them
 * @returns the score of the corpus; `warnings` has a line when the settings do not fit the text
 * @throws when the numbers of sentences differ or are zero, or an option is not known
 * @example
 * console.log(bleu(['the cat sat on a mat'], ['the cat sat on the mat']).score.toFixed(2)); // → 53.73
 */
export function bleu(
  hypotheses: readonly string[],
  references: References,
  options: BleuOptions = {},
): BleuScore & Scored {
  return scoreCorpus(bleuMetric(options), hypotheses, references);
}

/**
 * BLEU of one sentence against its references. `effectiveOrder` is on unless said otherwise, or every sentence of
 * fewer than four words would score near zero.
 */
export function sentenceBleu(
  hypothesis: string,
  references: string | readonly string[],
  options: BleuOptions = {},
): BleuScore & Scored {
  const sets = (typeof references === 'string' ? [references] : references).map((reference) => [reference]);
  return bleu([hypothesis], sets, { effectiveOrder: true, ...options });
}

/** BLEU as a metric, for `pairedBootstrap` and `bootstrapConfidence`. */
export function bleuMetric(options: BleuOptions = {}): Metric<BleuScore> {
  const { tokenize = '13a', lowercase = false, smoothing = 'exp', effectiveOrder = false, maxOrder = 4 } = options;
  const split = bleuTokenizers[tokenize];
  if (split === undefined) {
    throw new Error(`bleu: tokenize must be one of ${Object.keys(bleuTokenizers).join(', ')}; got ${tokenize}`);
  }
  if (!Object.hasOwn(SMOOTHING_DEFAULTS, smoothing)) {
    throw new Error(`bleu: smoothing must be one of ${Object.keys(SMOOTHING_DEFAULTS).join(', ')}; got ${smoothing}`);
  }
  if (!Number.isInteger(maxOrder) || maxOrder < 1) {
    throw new Error(`bleu: maxOrder must be a positive integer; got ${maxOrder}`);
  }
  const usesValue = SMOOTHING_DEFAULTS[smoothing] !== undefined;
  const value = options.smoothingValue ?? SMOOTHING_DEFAULTS[smoothing] ?? 0;
  const words = (text: string) => split(trimEnd(lowercase ? text.toLowerCase() : text));

  return {
    name: 'BLEU',
    settings: [
      `case:${lowercase ? 'lc' : 'mixed'}`,
      `eff:${effectiveOrder ? 'yes' : 'no'}`,
      `tok:${tokenize}`,
      `smooth:${smoothing}${usesValue ? `[${value.toFixed(2)}]` : ''}`,
    ],
    statistics: (hypothesis, references) => countSentence(words(hypothesis), references.map(words), maxOrder),
    score: (sums) => scoreCounts(sums, { smoothing, value, effectiveOrder, maxOrder }),
    warnings: (hypotheses, references) => [
      ...(tokenize === 'zh' || tokenize === 'char'
        ? []
        : warnIfUnspaced(`BLEU with tokenize '${tokenize}'`, references.flat(), (language) =>
            language === 'Chinese' ? "use tokenize 'zh'" : "use tokenize 'char'",
          )),
      ...warnIfTokenized(hypotheses),
    ],
  };
}

/** One sentence's row: its length, the closest reference's length, then matches and n-grams by order. */
function countSentence(
  hypothesis: readonly string[],
  references: readonly (readonly string[])[],
  maxOrder: number,
): number[] {
  const matches: number[] = [];
  const totals: number[] = [];
  for (let order = 1; order <= maxOrder; order++) {
    const own = countWordNgrams(hypothesis, order);
    const theirs = references.map((reference) => countWordNgrams(reference, order));
    matches.push(clippedMatches(own, theirs));
    totals.push(Math.max(0, hypothesis.length - order + 1));
  }
  const lengths = references.map((reference) => reference.length);
  return [hypothesis.length, closest(hypothesis.length, lengths), ...matches, ...totals];
}

/** Each n-gram counts at most as often as it stands in the reference that has it most. */
function clippedMatches(own: NgramCounts, references: readonly NgramCounts[]): number {
  let matches = 0;
  for (const [ngram, count] of own) {
    let allowed = 0;
    for (const reference of references) allowed = Math.max(allowed, reference.get(ngram) ?? 0);
    matches += Math.min(count, allowed);
  }
  return matches;
}

/** The length nearest to `length`, the shorter one of two equally near. */
function closest(length: number, candidates: readonly number[]): number {
  return candidates.reduce((best, each) => {
    const gain = Math.abs(best - length) - Math.abs(each - length);
    return gain > 0 || (gain === 0 && each < best) ? each : best;
  });
}

interface Formula {
  readonly smoothing: BleuSmoothing;
  readonly value: number;
  readonly effectiveOrder: boolean;
  readonly maxOrder: number;
}

function scoreCounts(sums: readonly number[], { smoothing, value, effectiveOrder, maxOrder }: Formula): BleuScore {
  const [sysLen = 0, refLen = 0] = sums;
  const counts = sums.slice(2, 2 + maxOrder);
  const totals = sums.slice(2 + maxOrder);
  const bp = sysLen >= refLen ? 1 : sysLen > 0 ? Math.exp(1 - refLen / sysLen) : 0;
  const precisions = new Array<number>(maxOrder).fill(0);
  const result = { precisions, bp, sysLen, refLen, counts, totals };
  // Without any match no smoothing may make a score out of nothing.
  if (counts.every((count) => count === 0)) return { score: 0, ...result };

  let orders = maxOrder;
  let halvings = 1;
  for (let index = 0; index < maxOrder; index++) {
    const added = smoothing === 'add-k' && index > 0 ? value : 0;
    const count = (counts[index] ?? 0) + added;
    const total = (totals[index] ?? 0) + added;
    if (total === 0) break;
    if (effectiveOrder) orders = index + 1;
    if (count > 0) {
      precisions[index] = (100 * count) / total;
    } else if (smoothing === 'exp') {
      halvings *= 2;
      precisions[index] = 100 / (halvings * total);
    } else if (smoothing === 'floor') {
      precisions[index] = (100 * value) / total;
    }
  }
  const logs = precisions.slice(0, orders).map(Math.log);
  return { score: bp * Math.exp(logs.reduce((sum, log) => sum + log, 0) / orders), ...result };
}

/** From this many lines that end in a separated full stop, the text looks tokenized already. */
const TOKENIZED_LINES = 100;

function warnIfTokenized(hypotheses: readonly string[]): string[] {
  const lines = hypotheses.filter((text) => text.endsWith(' .')).length;
  if (lines < TOKENIZED_LINES) return [];
  return [`${lines} hypotheses end in ' .': score text as people write it, not its tokens, or BLEU is not comparable`];
}
