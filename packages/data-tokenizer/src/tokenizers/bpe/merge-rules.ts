import type { Random } from '../../batching/random.js';
import type { Merge } from './learn-merges.js';
import { PairTable } from './pair-table.js';

/** BPE-dropout: every possible merge is passed over with probability `rate`, anew at each step. */
export interface Dropout {
  readonly rate: number;
  readonly random: Random;
}

/** A stretch of a word that has become one symbol: its id and how many of the first symbols it spans. */
export interface Merged {
  readonly ids: number[];
  readonly spans: number[];
}

// Up to here, looking at all pairs again after every merge is faster than a queue.
const shortWord = 40;
const none = 0x7fffffff;

/** The merges of a trained BPE, applied to words: always the one that was learned first, of equals the leftmost. */
export class MergeRules {
  // A pair's number is its rank.
  readonly #pairs = new PairTable();
  readonly #results: Int32Array;

  /** @throws Error if two merges join the same pair. */
  constructor(merges: readonly Merge[]) {
    this.#results = Int32Array.from(merges, (merge) => merge.result);
    merges.forEach(({ left, right }, rank) => {
      if (this.#pairs.add(left, right) !== rank)
        throw new Error(`merges[${rank}] joins the same pair as an earlier entry`);
    });
  }

  apply(symbols: readonly number[], dropout?: Dropout): Merged {
    const word = { ids: [...symbols], spans: new Array<number>(symbols.length).fill(1) };
    if (dropout !== undefined) this.#applyWithDropout(word, dropout);
    else if (symbols.length <= shortWord) this.#applyToShort(word);
    else return this.#applyToLong(symbols);
    return word;
  }

  #rank(left: number, right: number): number {
    const rank = this.#pairs.find(left, right);
    return rank === -1 ? none : rank;
  }

  #applyToShort(word: Merged): void {
    const { ids } = word;
    const ranks: number[] = [];
    for (let i = 1; i < ids.length; i++) ranks.push(this.#rank(ids[i - 1] as number, ids[i] as number));
    for (;;) {
      let best = none;
      let at = -1;
      for (let i = 0; i < ranks.length; i++) {
        if ((ranks[i] as number) < best) {
          best = ranks[i] as number;
          at = i;
        }
      }
      if (at === -1) return;
      this.#join(word, at, best);
      ranks.splice(at, 1);
      if (at > 0) ranks[at - 1] = this.#rank(ids[at - 1] as number, ids[at] as number);
      if (at < ranks.length) ranks[at] = this.#rank(ids[at] as number, ids[at + 1] as number);
    }
  }

  // Provilkov et al. 2020, algorithm 1.
  #applyWithDropout(word: Merged, { rate, random }: Dropout): void {
    const { ids } = word;
    for (;;) {
      let best = none;
      let at = -1;
      for (let i = 1; i < ids.length; i++) {
        const rank = this.#rank(ids[i - 1] as number, ids[i] as number);
        if (rank === none || random.next() < rate) continue;
        if (rank < best) {
          best = rank;
          at = i - 1;
        }
      }
      if (at === -1) return;
      this.#join(word, at, best);
    }
  }

  #join({ ids, spans }: Merged, at: number, rank: number): void {
    ids[at] = this.#results[rank] as number;
    spans[at] = (spans[at] as number) + (spans[at + 1] as number);
    ids.splice(at + 1, 1);
    spans.splice(at + 1, 1);
  }

  // A linked list of symbols and a heap of candidate pairs keyed by rank, then place: n log n for a pasted page.
  #applyToLong(symbols: readonly number[]): Merged {
    const size = symbols.length;
    const ids = Int32Array.from(symbols);
    const next = Int32Array.from(symbols, (_, i) => i + 1);
    const previous = Int32Array.from(symbols, (_, i) => i - 1);
    const heap = new CandidateHeap(size);
    const consider = (at: number): void => {
      const after = next[at] as number;
      if (after >= size) return;
      const rank = this.#rank(ids[at] as number, ids[after] as number);
      if (rank !== none) heap.push(rank, at);
    };
    for (let at = 0; at < size; at++) consider(at);
    for (let top = heap.pop(); top !== undefined; top = heap.pop()) {
      const { rank, at } = top;
      const after = next[at] as number;
      // Stale unless both symbols still stand and still make this pair.
      if (ids[at] === -1 || after >= size || this.#rank(ids[at] as number, ids[after] as number) !== rank) continue;
      ids[at] = this.#results[rank] as number;
      ids[after] = -1;
      const beyond = next[after] as number;
      next[at] = beyond;
      if (beyond < size) previous[beyond] = at;
      if ((previous[at] as number) >= 0) consider(previous[at] as number);
      consider(at);
    }
    const merged: Merged = { ids: [], spans: [] };
    for (let at = 0; at < size; at = next[at] as number) {
      merged.ids.push(ids[at] as number);
      merged.spans.push((next[at] as number) - at);
    }
    return merged;
  }
}

/** A binary heap of places, smallest rank first, then leftmost. */
class CandidateHeap {
  // rank * places + place orders as wanted and is exact: both are far below 2^26.
  readonly #keys: number[] = [];
  readonly #places: number;

  constructor(places: number) {
    this.#places = places;
  }

  push(rank: number, at: number): void {
    const key = rank * this.#places + at;
    const keys = this.#keys;
    let slot = keys.length;
    while (slot > 0) {
      const parent = (slot - 1) >> 1;
      if (key >= (keys[parent] as number)) break;
      keys[slot] = keys[parent] as number;
      slot = parent;
    }
    keys[slot] = key;
  }

  pop(): { rank: number; at: number } | undefined {
    const keys = this.#keys;
    const top = keys[0];
    if (top === undefined) return undefined;
    const last = keys.pop() as number;
    const size = keys.length;
    if (size > 0) {
      let slot = 0;
      for (let child = 1; child < size; child = 2 * slot + 1) {
        if (child + 1 < size && (keys[child + 1] as number) < (keys[child] as number)) child++;
        if (last <= (keys[child] as number)) break;
        keys[slot] = keys[child] as number;
        slot = child;
      }
      keys[slot] = last;
    }
    const at = top % this.#places;
    return { rank: (top - at) / this.#places, at };
  }
}
