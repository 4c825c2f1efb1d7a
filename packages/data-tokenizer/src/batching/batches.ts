import { type Batch, type EncodedPair, makeBatch, type RowOptions, sourceRowLength, targetRowLength } from './batch.js';
import { seededRandom } from './random.js';
import { shuffleInPlace } from './shuffle.js';

/** How pairs are put into batches. */
export interface BatchOptions extends RowOptions {
  /** Pairs in a batch. One of `sentences` and `tokens` must be given. */
  readonly sentences?: number;
  /**
   * Largest number of positions, padding counted, that either side of a batch may have; a pair longer than that makes a
   * batch of its own.
   */
  readonly tokens?: number;
  /** Seed of the order; a new order every epoch. Without it the data's own order is kept, the same every epoch. */
  readonly seed?: number;
  /**
   * Put pairs of like lengths together, which saves padding: pairs are sorted within pools of so many sentences after
   * the shuffle, then whole batches are shuffled. Default 100 batches' worth; 0 for none.
   */
  readonly pool?: number;
}

/** A place between two batches: `batch` counts from 0 within `epoch`. */
export interface BatchPosition {
  readonly epoch: number;
  readonly batch: number;
}

/** How much of an epoch's matrices is padding. */
export interface PaddingStatistics {
  readonly batches: number;
  /** Positions that hold a piece, both sides. */
  readonly tokens: number;
  /** Positions that hold padding, both sides. */
  readonly padding: number;
  /** padding / (tokens + padding) */
  readonly waste: number;
}

/**
 * Plans the batches of a data set. The plan of an epoch depends only on the data's lengths, the options and the epoch's
 * number, so training resumes from a {@link BatchPosition} with the very batches that would have come.
 *
 * @example
 * ```ts
 * const pairs = [{ source: [5, 6, 7], target: [8] }, { source: [5], target: [9, 8] }, { source: [6, 7], target: [9] }];
 * const plan = batches(pairs, { sentences: 2, seed: 1 });
 * for (const { rows, source, sourceWidth } of plan.epoch(0)) console.log(rows, sourceWidth, source.join(' '));
 * // → 2 3 6 7 0 5 6 7
 * // → 1 1 5
 * const [resumed] = plan.from({ epoch: 0, batch: 1 }, 10); // up to epoch 10
 * console.log(resumed.batch.indices.join(' '), JSON.stringify(resumed.next)); // → 1 {"epoch":1,"batch":0}
 * ```
 *
 * @throws RangeError unless exactly one of `sentences` and `tokens` is given, as a whole number of at least 1.
 */
export function batches(pairs: readonly EncodedPair[], options: BatchOptions): BatchPlan {
  return new BatchPlan(pairs, options);
}

/** The batches of every epoch of a data set; made by {@link batches}. */
export class BatchPlan {
  readonly #pairs: readonly EncodedPair[];
  readonly #options: BatchOptions;
  #latest: { epoch: number; plan: Int32Array[] } | undefined;

  constructor(pairs: readonly EncodedPair[], options: BatchOptions) {
    checkOptions(options);
    this.#pairs = pairs;
    this.#options = options;
  }

  /** Number of pairs. */
  get size(): number {
    return this.#pairs.length;
  }

  /** Number of batches in an epoch. */
  count(epoch: number): number {
    return this.indices(epoch).length;
  }

  /** The batches of an epoch, from the `start`th on; the last may be smaller. */
  *epoch(epoch: number, start = 0): Generator<Batch, void, undefined> {
    const plan = this.indices(epoch);
    for (let i = start; i < plan.length; i++) yield makeBatch(this.#pairs, plan[i] as Int32Array, this.#options);
  }

  /** The batches from a position on, through the epochs before `epochs`, each with the position that follows it. */
  *from(position: BatchPosition, epochs: number): Generator<{ batch: Batch; next: BatchPosition }, void, undefined> {
    let { epoch, batch: index } = position;
    for (; epoch < epochs; epoch++, index = 0) {
      const count = this.count(epoch);
      for (const batch of this.epoch(epoch, index)) {
        index++;
        yield { batch, next: index < count ? { epoch, batch: index } : { epoch: epoch + 1, batch: 0 } };
      }
    }
  }

  statistics(epoch: number): PaddingStatistics {
    const plan = this.indices(epoch);
    let tokens = 0;
    let positions = 0;
    for (const indices of plan) {
      let sourceWidth = 0;
      let targetWidth = 0;
      for (const index of indices) {
        const [source, target] = this.#lengths(index);
        tokens += source + target;
        sourceWidth = Math.max(sourceWidth, source);
        targetWidth = Math.max(targetWidth, target);
      }
      positions += indices.length * (sourceWidth + targetWidth);
    }
    const padding = positions - tokens;
    return { batches: plan.length, tokens, padding, waste: positions === 0 ? 0 : padding / positions };
  }

  /** The pairs of every batch of an epoch, by their place in the data. */
  indices(epoch: number): readonly Int32Array[] {
    if (this.#latest?.epoch !== epoch) this.#latest = { epoch, plan: this.#plan(epoch) };
    return this.#latest.plan;
  }

  #lengths(index: number): [source: number, target: number] {
    const pair = this.#pairs[index] as EncodedPair;
    return [sourceRowLength(pair, this.#options), targetRowLength(pair)];
  }

  #plan(epoch: number): Int32Array[] {
    const { seed } = this.#options;
    const order = Int32Array.from(this.#pairs.keys());
    const random = seed === undefined ? undefined : seededRandom(seed, epoch);
    if (random !== undefined) shuffleInPlace(order, random);
    const pool = poolSize(this.#options);
    const plan: Int32Array[] = [];
    if (pool === 0) {
      this.#cut(order, plan);
    } else {
      for (let start = 0; start < order.length; start += pool) {
        this.#cut(this.#sortByLength(order.subarray(start, start + pool)), plan);
      }
    }
    if (random !== undefined) shuffleInPlace(plan, random);
    return plan;
  }

  // Stable, so pairs of equal lengths keep their shuffled order.
  #sortByLength(indices: Int32Array): Int32Array {
    const keyed = Array.from(indices, (index) => ({ index, lengths: this.#lengths(index) }));
    keyed.sort((a, b) => a.lengths[1] - b.lengths[1] || a.lengths[0] - b.lengths[0]);
    return Int32Array.from(keyed, ({ index }) => index);
  }

  #cut(order: Int32Array, plan: Int32Array[]): void {
    const { sentences = Number.POSITIVE_INFINITY, tokens = Number.POSITIVE_INFINITY } = this.#options;
    let start = 0;
    let width = 0;
    order.forEach((index, end) => {
      const widened = Math.max(width, ...this.#lengths(index));
      const rows = end - start + 1;
      if (rows > 1 && (rows > sentences || rows * widened > tokens)) {
        plan.push(order.slice(start, end));
        start = end;
        width = Math.max(...this.#lengths(index));
      } else {
        width = widened;
      }
    });
    if (start < order.length) plan.push(order.slice(start));
  }
}

/** Sentences in a pool; 0 for none. A hundred batches' worth, a sentence being taken for 32 tokens. */
export function poolSize({ pool, sentences, tokens = 0 }: BatchOptions): number {
  return pool ?? 100 * (sentences ?? Math.ceil(tokens / 32));
}

function checkOptions({ sentences, tokens, pool = 0 }: BatchOptions): void {
  if ((sentences === undefined) === (tokens === undefined)) {
    throw new RangeError(
      `batches: give sentences or tokens, one of them; got ${sentences === undefined ? 'neither' : 'both'}`,
    );
  }
  const [name, value] = sentences === undefined ? ['tokens', tokens as number] : ['sentences', sentences];
  if (!(Number.isInteger(value) && value >= 1))
    throw new RangeError(`batches: ${name} must be a whole number of at least 1; got ${value}`);
  if (!(pool >= 0)) throw new RangeError(`batches: pool must be 0 or more; got ${pool}`);
}
