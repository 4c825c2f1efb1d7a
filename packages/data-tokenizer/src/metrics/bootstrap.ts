// Bootstrap resampling (Koehn 2004): how far a score depends on which sentences happened to be in the test set.
// Sentences are drawn with replacement, as many as there are, again and again; each draw is scored.
import { uniformInt } from 'pure-rand/distribution/uniformInt';
import { xoroshiro128plus } from 'pure-rand/generator/xoroshiro128plus';
import { type Metric, signatureOf } from './metric.js';
import { alignReferences, type References } from './references.js';

export interface BootstrapOptions {
  /** How many test sets are drawn; 1,000 by default. */
  readonly samples?: number;
  /** The same seed draws the same test sets; 12345 by default. */
  readonly seed?: number;
}

/** A score with its 95 % interval. */
export interface Confidence {
  /** The score of the corpus itself. */
  readonly score: number;
  /** The mean over the drawn test sets. */
  readonly mean: number;
  /** Half of the interval that holds 95 % of the drawn scores: `mean ± margin`. */
  readonly margin: number;
}

export interface PairedBootstrap {
  readonly baseline: Confidence;
  readonly system: Confidence;
  /** `system.score − baseline.score`. */
  readonly difference: number;
  /** How likely a difference at least this large is by chance alone; below 0.05 is commonly called significant. */
  readonly pValue: number;
  readonly signature: string;
}

/**
 * The score of a corpus with its 95 % interval.
 *
 * @param metric what to score with, such as `bleuMetric({ tokenize: 'zh' })`
 * @throws when the numbers of sentences differ or are zero, or `samples` is not a positive integer
 * @example
 * const texts = ['the cat sat on the mat', 'he went home by bus'];
 * const { score } = bootstrapConfidence(bleuMetric(), texts, texts, { seed: 1 }); // and mean, margin, signature
 * console.log(score.toFixed(1)); // → 100.0
 */
export function bootstrapConfidence(
  metric: Metric<{ readonly score: number }>,
  hypotheses: readonly string[],
  references: References,
  options: BootstrapOptions = {},
): Confidence & { readonly signature: string } {
  const { samples, seed } = checked('bootstrapConfidence', options);
  const { sentences, perSentence } = alignReferences('bootstrapConfidence', hypotheses, references);
  const rows = statisticsOf(metric, hypotheses, sentences);
  const scores = drawTestSets(hypotheses.length, samples, seed, (drawn) => scoreOf(metric, rows, drawn));
  return {
    ...confidence(scoreOf(metric, rows), scores),
    signature: resampledSignature(metric, perSentence, samples, seed),
  };
}

/**
 * Whether two systems differ by more than chance: both are scored on the same drawn test sets.
 *
 * p = (1 + number of draws with |d| − mean |d| ≥ |d₀|) / (1 + draws), where d is the difference of the scores of a draw
 * and d₀ that of the corpus: the estimate of Moses and sacreBLEU, but with ≥ for >, so that equal systems give p = 1.
 *
 * @param metric what to score with, such as `bleuMetric({ tokenize: 'zh' })`
 * @param system one text a sentence
 * @param baseline one text a sentence, of the system compared with
 * @throws when the numbers of sentences differ or are zero, or `samples` is not a positive integer
 * @example
 * const references = ['the cat sat on the mat', 'he went home by bus'];
 * const baseline = ['the cat sat', 'he went by bus'];
 * const { difference } = pairedBootstrap(bleuMetric(), references, baseline, references, { seed: 1 });
 * console.log(difference > 0); // → true
 */
export function pairedBootstrap(
  metric: Metric<{ readonly score: number }>,
  system: readonly string[],
  baseline: readonly string[],
  references: References,
  options: BootstrapOptions = {},
): PairedBootstrap {
  const { samples, seed } = checked('pairedBootstrap', options);
  const { sentences, perSentence } = alignReferences('pairedBootstrap', system, references);
  if (baseline.length !== system.length) {
    throw new Error(
      `pairedBootstrap: both systems must have equally many sentences; got ${system.length} and ${baseline.length}`,
    );
  }
  const systemRows = statisticsOf(metric, system, sentences);
  const baselineRows = statisticsOf(metric, baseline, sentences);
  const pairs = drawTestSets(system.length, samples, seed, (drawn) => ({
    system: scoreOf(metric, systemRows, drawn),
    baseline: scoreOf(metric, baselineRows, drawn),
  }));
  const result = {
    system: confidence(
      scoreOf(metric, systemRows),
      pairs.map((pair) => pair.system),
    ),
    baseline: confidence(
      scoreOf(metric, baselineRows),
      pairs.map((pair) => pair.baseline),
    ),
  };
  const difference = result.system.score - result.baseline.score;
  const distances = pairs.map((pair) => Math.abs(pair.system - pair.baseline));
  const expected = mean(distances);
  const exceeding = distances.filter((distance) => distance - expected >= Math.abs(difference)).length;
  return {
    ...result,
    difference,
    pValue: (exceeding + 1) / (samples + 1),
    signature: resampledSignature(metric, perSentence, samples, seed),
  };
}

function checked(caller: string, { samples = 1000, seed = 12345 }: BootstrapOptions): Required<BootstrapOptions> {
  if (!Number.isInteger(samples) || samples < 1) {
    throw new Error(`${caller}: samples must be a positive integer; got ${samples}`);
  }
  if (!Number.isInteger(seed)) throw new Error(`${caller}: seed must be an integer; got ${seed}`);
  return { samples, seed };
}

function statisticsOf(
  metric: Metric<{ readonly score: number }>,
  hypotheses: readonly string[],
  references: readonly (readonly string[])[],
): number[][] {
  return hypotheses.map((hypothesis, line) => metric.statistics(hypothesis, references[line] as readonly string[]));
}

/** The result of `score` for each drawn test set; a test set is the line numbers in it. */
function drawTestSets<Result>(
  lines: number,
  samples: number,
  seed: number,
  score: (drawn: Uint32Array) => Result,
): Result[] {
  const random = xoroshiro128plus(seed);
  const drawn = new Uint32Array(lines);
  return Array.from({ length: samples }, () => {
    for (let index = 0; index < lines; index++) drawn[index] = uniformInt(random, 0, lines - 1);
    return score(drawn);
  });
}

function scoreOf(
  metric: Metric<{ readonly score: number }>,
  rows: readonly (readonly number[])[],
  lines: Iterable<number> = rows.keys(),
): number {
  const sums = new Array<number>(rows[0]?.length ?? 0).fill(0);
  for (const line of lines) {
    const row = rows[line] as readonly number[];
    for (let column = 0; column < sums.length; column++)
      sums[column] = (sums[column] as number) + (row[column] as number);
  }
  return metric.score(sums).score;
}

function confidence(score: number, drawnScores: readonly number[]): Confidence {
  const sorted = Float64Array.from(drawnScores).sort();
  const tail = Math.floor(sorted.length / 40);
  const interval = (sorted[sorted.length - 1 - tail] as number) - (sorted[tail] as number);
  return { score, mean: mean(drawnScores), margin: interval / 2 };
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

function resampledSignature(
  metric: Metric<{ readonly score: number }>,
  perSentence: number | 'var',
  samples: number,
  seed: number,
): string {
  return signatureOf(perSentence, [`bs:${samples}`, `seed:${seed}`, ...metric.settings]);
}
