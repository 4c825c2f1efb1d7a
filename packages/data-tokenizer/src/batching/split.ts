import { seededRandom } from './random.js';
import { shuffleInPlace } from './shuffle.js';

/** How items are divided. */
export interface SplitOptions<Item> {
  /** Size of the validation part: a share of the items if below 1, else their number. Default 0. */
  readonly valid?: number;
  /** Size of the test part, likewise. Default 0. */
  readonly test?: number;
  readonly seed: number;
  /** Items with equal keys stay together, so that no source sentence is in two parts. Default: each item for itself. */
  readonly by?: (item: Item) => string;
}

/** The parts of a data set. */
export interface Split<Item> {
  readonly train: Item[];
  readonly valid: Item[];
  readonly test: Item[];
}

/**
 * Divides items at random, by a seed, into train, valid and test; each part keeps the items' order. With `by`, a part
 * takes whole groups until it has at least the size asked for.
 *
 * @throws RangeError if valid and test together leave nothing to train on.
 */
export function split<Item>(items: readonly Item[], options: SplitOptions<Item>): Split<Item> {
  const { by, seed } = options;
  const valid = sizeOf('valid', options.valid ?? 0, items.length);
  const test = sizeOf('test', options.test ?? 0, items.length);
  if (items.length > 0 && valid + test >= items.length) {
    throw new RangeError(
      `split: valid and test must leave items to train on; got ${valid} + ${test} of ${items.length}`,
    );
  }
  const groups = by === undefined ? items.map((_, index) => [index]) : groupIndices(items, by);
  shuffleInPlace(groups, seededRandom(seed));
  const taken = { test: new Set<number>(), valid: new Set<number>() };
  for (const group of groups) {
    const part = taken.test.size < test ? taken.test : taken.valid.size < valid ? taken.valid : undefined;
    if (part === undefined) break;
    for (const index of group) part.add(index);
  }
  return {
    train: items.filter((_, index) => !taken.test.has(index) && !taken.valid.has(index)),
    valid: items.filter((_, index) => taken.valid.has(index)),
    test: items.filter((_, index) => taken.test.has(index)),
  };
}

function sizeOf(part: string, size: number, total: number): number {
  if (!(size >= 0) || (size >= 1 && !Number.isInteger(size))) {
    throw new RangeError(`split: ${part} must be a share in [0, 1) or a whole number; got ${size}`);
  }
  return size < 1 ? Math.round(size * total) : size;
}

function groupIndices<Item>(items: readonly Item[], by: (item: Item) => string): number[][] {
  const groups = new Map<string, number[]>();
  items.forEach((item, index) => {
    const key = by(item);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [index]);
    else group.push(index);
  });
  return [...groups.values()];
}
