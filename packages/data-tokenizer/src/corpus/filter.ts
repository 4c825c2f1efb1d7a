import { HashSet } from './hash-set.js';
import type { DropReason } from './report.js';

/** Which pairs are left out besides those with a blank side. All off by default. */
export interface PairFilters {
  /** Longest side, in UTF-16 units. */
  readonly maxLength?: number;
  /** Largest ratio of the longer side's length to the shorter's. */
  readonly maxRatio?: number;
  /** Drop pairs whose sides are equal. */
  readonly identical?: boolean;
  /** Drop pairs that came before; remembers about eight bytes a pair. */
  readonly duplicates?: boolean;
}

// Zero-width characters alone make no sentence either.
const blank = /^[\s\u200B-\u200F\u2060\uFEFF]*$/;

/** Whether a text holds nothing to read. */
export function isBlank(text: string): boolean {
  return blank.test(text);
}

/** The rule a pair breaks, or undefined. Made anew for every pass, since it remembers what it saw. */
export function pairFilter(filters: PairFilters): (source: string, target: string) => DropReason | undefined {
  const { maxLength = Number.POSITIVE_INFINITY, maxRatio = Number.POSITIVE_INFINITY, identical, duplicates } = filters;
  if (!(maxLength >= 1)) throw new RangeError(`openCorpus: maxLength must be at least 1; got ${maxLength}`);
  if (!(maxRatio >= 1)) throw new RangeError(`openCorpus: maxRatio must be at least 1; got ${maxRatio}`);
  const seen = duplicates ? new HashSet() : undefined;
  return (source, target) => {
    if (isBlank(source) || isBlank(target)) return 'blank';
    const longer = Math.max(source.length, target.length);
    if (longer > maxLength) return 'too-long';
    if (longer > maxRatio * Math.min(source.length, target.length)) return 'length-ratio';
    if (identical && source === target) return 'identical';
    if (seen !== undefined && !seen.add(`${source}\t${target}`)) return 'duplicate';
    return undefined;
  };
}
