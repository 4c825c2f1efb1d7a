import { IntegerList } from './integer-list.js';
import { PairQueue } from './pair-queue.js';
import { PairTable } from './pair-table.js';
import { WordLists } from './word-lists.js';

/** A word as ids of its symbols, and how often it occurs. */
export interface CountedWord {
  readonly symbols: readonly number[];
  readonly count: number;
}

/** When learning ends. */
export interface LearnOptions {
  /** Stop when there are so many symbols. */
  readonly size: number;
  /** Stop when the most frequent pair occurs fewer times than this. */
  readonly minFrequency: number;
}

/** A learned step: wherever `left` stands before `right`, they become `result`. */
export interface Merge {
  readonly left: number;
  readonly right: number;
  readonly result: number;
}

/**
 * Byte-pair encoding (Sennrich et al. 2016, algorithm 1): joins the most frequent pair of neighbours, again and again.
 * Of pairs that are equally frequent, the one whose left symbol, then whose right symbol has the smaller id goes first.
 *
 * Only the words that hold the joined pair are touched, and only the counts of its neighbours change.
 *
 * @param symbols the alphabet, by id; the results of the merges are appended.
 * @returns the merges in order. Two may have one result (`a`+`bc` and `ab`+`c`), so there can be more than new symbols.
 */
export function learnMerges(words: Iterable<CountedWord>, symbols: string[], options: LearnOptions): Merge[] {
  const ids = new Map(symbols.map((symbol, id) => [symbol, id]));
  const state = new PairCounts(words);
  const merges: Merge[] = [];
  while (symbols.length < options.size) {
    const pair = state.mostFrequent(options.minFrequency);
    if (pair === undefined) break;
    const { left, right } = pair;
    const text = `${symbols[left]}${symbols[right]}`;
    let result = ids.get(text);
    if (result === undefined) {
      result = symbols.push(text) - 1;
      ids.set(text, result);
    }
    merges.push({ left, right, result });
    state.merge(left, right, result);
  }
  return merges;
}

/** The words as they are cut so far, with the count of every pair of neighbours and the words it occurs in. */
class PairCounts {
  readonly #pairs = new PairTable();
  readonly #counts: number[] = [];
  readonly #where = new WordLists();
  readonly #queue = new PairQueue(this.#pairs, this.#counts);
  // All words in one array; word w has #lengths[w] symbols from #starts[w] on.
  readonly #symbols: Int32Array;
  readonly #starts: Int32Array;
  readonly #lengths: Int32Array;
  readonly #frequencies: readonly number[];

  constructor(words: Iterable<CountedWord>) {
    const [all, starts, frequencies] = [new IntegerList(), new IntegerList(), [] as number[]];
    for (const { symbols, count } of words) {
      starts.push(all.length);
      frequencies.push(count);
      for (const symbol of symbols) all.push(symbol);
    }
    this.#symbols = all.toArray();
    this.#starts = starts.toArray();
    this.#lengths = this.#starts.map((start, word) => (this.#starts[word + 1] ?? all.length) - start);
    this.#frequencies = frequencies;
    for (let word = 0; word < frequencies.length; word++) {
      const end = (this.#starts[word] as number) + (this.#lengths[word] as number);
      for (let i = (this.#starts[word] as number) + 1; i < end; i++) {
        this.#count(this.#symbols[i - 1] as number, this.#symbols[i] as number, word, 1);
      }
    }
    for (let pair = 0; pair < this.#pairs.size; pair++) this.#queue.push(pair);
  }

  mostFrequent(minFrequency: number): { left: number; right: number } | undefined {
    const pair = this.#queue.pop();
    if (pair === undefined || (this.#counts[pair] as number) < minFrequency) return undefined;
    return { left: this.#pairs.left(pair), right: this.#pairs.right(pair) };
  }

  merge(left: number, right: number, result: number): void {
    const pair = this.#pairs.find(left, right);
    const words = this.#where.take(pair);
    const touched = new Set<number>();
    for (const word of words) this.#mergeIn(word, left, right, result, touched);
    this.#counts[pair] = 0;
    for (const raised of touched) this.#queue.push(raised);
  }

  #mergeIn(word: number, left: number, right: number, result: number, touched: Set<number>): void {
    const symbols = this.#symbols;
    const start = this.#starts[word] as number;
    const end = start + (this.#lengths[word] as number);
    let write = start;
    let read = start;
    while (read < end) {
      const symbol = symbols[read] as number;
      if (symbol !== left || read + 1 === end || symbols[read + 1] !== right) {
        symbols[write++] = symbol;
        read++;
        continue;
      }
      if (write > start) {
        const before = symbols[write - 1] as number;
        this.#count(before, left, word, -1);
        touched.add(this.#count(before, result, word, 1));
      }
      read += 2;
      if (read < end) {
        const after = symbols[read] as number;
        this.#count(right, after, word, -1);
        touched.add(this.#count(result, after, word, 1));
      }
      symbols[write++] = result;
    }
    this.#lengths[word] = write - start;
  }

  #count(left: number, right: number, word: number, sign: 1 | -1): number {
    const pair = this.#pairs.add(left, right);
    if (pair === this.#counts.length) this.#counts.push(0);
    (this.#counts[pair] as number) += sign * (this.#frequencies[word] as number);
    if (sign === 1) this.#where.add(pair, word);
    return pair;
  }
}
