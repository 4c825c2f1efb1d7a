// Ranking of translations of different lengths.
import { type Path, steps } from './hypothesis.js';
import type { SearchSettings } from './options.js';

type Penalties = Pick<SearchSettings, 'lengthPenalty' | 'lengthAlpha' | 'coveragePenalty'>;

/**
 * score(Y) = log P(Y) / lp(|Y|) + β Σᵢ log min(Σₜ aₜᵢ, 1), where lp is
 * - `none`: 1;
 * - `average`: |Y|^α (α = 1: the mean log-probability of a token);
 * - `gnmt`: ((5 + |Y|) / 6)^α (Wu et al. 2016, eq. 14, where the coverage term stands too).
 *
 * @param length |Y|, `<eos>` counted where there is one
 */
export function scorePath(path: Path, total: number, length: number, penalties: Penalties): number {
  return total / lengthPenalty(length, penalties) + coverage(path, penalties.coveragePenalty);
}

/** The best score that a path of this total can reach by going on to at most `maxLength`: log-probabilities only fall. */
export function bestReachable(total: number, length: number, maxLength: number, penalties: Penalties): number {
  return total / Math.max(lengthPenalty(length, penalties), lengthPenalty(maxLength, penalties));
}

function lengthPenalty(length: number, { lengthPenalty: kind, lengthAlpha }: Penalties): number {
  if (kind === 'none' || length === 0) return 1;
  return kind === 'average' ? length ** lengthAlpha : ((5 + length) / 6) ** lengthAlpha;
}

function coverage(path: Path, beta: number): number {
  const rows = beta === 0 ? [] : steps(path).flatMap((step) => step.attention ?? []);
  const [first] = rows;
  if (!first) return 0;
  let sum = 0;
  for (let i = 0; i < first.length; i++) {
    const covered = rows.reduce((total, row) => total + row[i]!, 0);
    sum += Math.log(Math.max(Math.min(covered, 1), 1e-20)); // a position of weight zero would end every comparison
  }
  return beta * sum;
}
