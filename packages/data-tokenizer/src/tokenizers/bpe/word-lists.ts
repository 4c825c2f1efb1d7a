import { IntegerList } from './integer-list.js';

const none = -1;

/** Which words each pair occurs in: linked lists in two arrays, eight bytes an entry; what is taken out is used again. */
export class WordLists {
  readonly #heads: number[] = [];
  readonly #words = new IntegerList();
  readonly #next = new IntegerList();
  #free = none;

  /** Adds a word to a pair's list, unless it is the one that was added last. */
  add(pair: number, word: number): void {
    while (this.#heads.length <= pair) this.#heads.push(none);
    const head = this.#heads[pair] as number;
    if (head !== none && this.#words.at(head) === word) return;
    let entry = this.#free;
    if (entry === none) {
      entry = this.#words.length;
      this.#words.push(word);
      this.#next.push(head);
    } else {
      this.#free = this.#next.at(entry);
      this.#words.set(entry, word);
      this.#next.set(entry, head);
    }
    this.#heads[pair] = entry;
  }

  /** Empties a pair's list and returns what was in it. */
  take(pair: number): number[] {
    const words: number[] = [];
    let entry = this.#heads[pair] ?? none;
    if (entry !== none) this.#heads[pair] = none;
    while (entry !== none) {
      const next = this.#next.at(entry);
      words.push(this.#words.at(entry));
      this.#next.set(entry, this.#free);
      this.#free = entry;
      entry = next;
    }
    return words;
  }
}
