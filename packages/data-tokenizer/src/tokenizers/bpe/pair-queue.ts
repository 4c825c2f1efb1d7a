import type { PairTable } from './pair-table.js';

/**
 * Pairs by their counts: the largest first, of equal counts the pair whose left symbol, then whose right symbol has the
 * smaller id. A binary heap whose entries remember the count they were pushed with; entries whose pair has another count
 * by now are put right when they come to the top.
 */
export class PairQueue {
  readonly #pairs: PairTable;
  readonly #counts: readonly number[];
  readonly #heap: number[] = [];
  readonly #pushed: number[] = [];

  /** @param counts the current count of every pair, kept up to date by the owner. */
  constructor(pairs: PairTable, counts: readonly number[]) {
    this.#pairs = pairs;
    this.#counts = counts;
  }

  push(pair: number): void {
    const count = this.#counts[pair] as number;
    if (count > 0) this.#insert(pair, count);
  }

  /** Takes out the pair with the largest count; undefined when all are 0. */
  pop(): number | undefined {
    while (this.#heap.length > 0) {
      const pair = this.#heap[0] as number;
      const pushed = this.#pushed[0] as number;
      this.#removeTop();
      if (pushed === this.#counts[pair]) return pair;
      // Counts fall only between pushes, so a smaller count is a stale entry, and its pair must be queued anew.
      if ((this.#counts[pair] as number) < pushed) this.push(pair);
    }
    return undefined;
  }

  #before(pair: number, count: number, slot: number): boolean {
    const otherCount = this.#pushed[slot] as number;
    if (count !== otherCount) return count > otherCount;
    const other = this.#heap[slot] as number;
    const pairs = this.#pairs;
    const left = pairs.left(pair) - pairs.left(other);
    return left < 0 || (left === 0 && pairs.right(pair) < pairs.right(other));
  }

  #insert(pair: number, count: number): void {
    let slot = this.#heap.length;
    while (slot > 0) {
      const parent = (slot - 1) >> 1;
      if (!this.#before(pair, count, parent)) break;
      this.#move(parent, slot);
      slot = parent;
    }
    this.#heap[slot] = pair;
    this.#pushed[slot] = count;
  }

  #removeTop(): void {
    const pair = this.#heap.pop() as number;
    const count = this.#pushed.pop() as number;
    const size = this.#heap.length;
    if (size === 0) return;
    let slot = 0;
    for (let child = 1; child < size; child = 2 * slot + 1) {
      const right = child + 1;
      if (right < size && this.#before(this.#heap[right] as number, this.#pushed[right] as number, child))
        child = right;
      if (this.#before(pair, count, child)) break;
      this.#move(child, slot);
      slot = child;
    }
    this.#heap[slot] = pair;
    this.#pushed[slot] = count;
  }

  #move(from: number, to: number): void {
    this.#heap[to] = this.#heap[from] as number;
    this.#pushed[to] = this.#pushed[from] as number;
  }
}
