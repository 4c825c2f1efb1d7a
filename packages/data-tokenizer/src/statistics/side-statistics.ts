import { HashSet } from '../corpus/hash-set.js';
import { detached } from '../tokenizers/count-pieces.js';
import { segments } from '../tokenizers/segments.js';
import { LengthHistogram, type LengthSummary } from './length-histogram.js';
import { Letters } from './letters.js';

/** One side of a corpus in numbers. */
export interface SideStatistics {
  /** Characters (code points) a sentence. */
  readonly characters: LengthSummary;
  /** Words a sentence, by Unicode's word boundaries. */
  readonly words: LengthSummary;
  readonly differentCharacters: number;
  readonly differentWords: number;
  /** The scripts of its letters, the most frequent first, as shares. */
  readonly scripts: Readonly<Record<string, number>>;
}

const longestRemembered = 32;
const mostRemembered = 100_000;

/**
 * Counts the characters and words of texts that pass by. Texts are taken apart at spaces, over which no word boundary
 * looks; most of what stands between is plainly one word, and what is not is remembered, since it comes again.
 */
export class SideCounter {
  readonly #segmenter = new Intl.Segmenter('und', { granularity: 'word' });
  readonly #letters = new Letters();
  readonly #words = new HashSet();
  readonly #characterLengths = new LengthHistogram();
  readonly #wordLengths = new LengthHistogram();
  readonly #remembered = new Map<string, number>();

  add(text: string): void {
    let words = 0;
    for (let start = 0; start < text.length; ) {
      const space = text.indexOf(' ', start);
      const end = space === -1 ? text.length : space;
      words += this.#countWords(text, start, end);
      start = end + 1;
    }
    this.#characterLengths.add(this.#letters.add(text));
    this.#wordLengths.add(words);
  }

  result(): SideStatistics {
    return {
      characters: this.#characterLengths.summary(),
      words: this.#wordLengths.summary(),
      differentCharacters: this.#letters.different,
      differentWords: this.#words.size,
      scripts: this.#letters.shares(),
    };
  }

  #countWords(text: string, start: number, end: number): number {
    const first = skip(text, start, end, punctuation);
    const last = skip(text, first, end, letter);
    if (skip(text, last, end, punctuation) < end) return this.#find(text.slice(start, end));
    if (first === last) return 0;
    this.#words.add(text, first, last);
    return 1;
  }

  #find(text: string): number {
    const known = this.#remembered.get(text);
    if (known !== undefined) return known;
    let words = 0;
    for (const { segment, isWordLike } of segments(text, this.#segmenter)) {
      if (!isWordLike) continue;
      this.#words.add(segment);
      words++;
    }
    if (text.length <= longestRemembered) {
      if (this.#remembered.size === mostRemembered) this.#remembered.clear();
      this.#remembered.set(detached(text), words);
    }
    return words;
  }
}

const letter = 1;
const punctuation = 2;

// Letters and digits that always join with one another, and what never joins with anything at a word's edge.
const kinds = new Uint8Array(0x10000);
for (const range of ['09', 'AZ', 'az', 'ÀÖ', 'Øö', 'øɏ', 'Ѐҁ', 'Ҋԯ'])
  kinds.fill(letter, range.charCodeAt(0), range.charCodeAt(1) + 1);
for (const mark of '!"#$%&\'()*+,-./:;<=>?@[\\]^`{|}~“”‘’„«»¿¡…–—') kinds[mark.charCodeAt(0)] = punctuation;

function skip(text: string, start: number, end: number, kind: number): number {
  let at = start;
  while (at < end && kinds[text.charCodeAt(at)] === kind) at++;
  return at;
}
