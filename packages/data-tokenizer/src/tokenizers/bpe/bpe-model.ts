import type { Vocabulary } from '../../vocabulary.js';
import { detached } from '../count-pieces.js';
import type { Pieces, WordModel } from '../pipeline/word-model.js';
import { byteCharacters } from './byte-alphabet.js';
import type { Dropout, MergeRules } from './merge-rules.js';

/** The settings of a model of type BPE, as a tokenizer file has them. */
export interface BpeSettings {
  /** The words come as bytes (the pre-tokenizer `ByteLevel`), not as characters. */
  readonly byteLevel: boolean;
  /** The piece for what has no symbol; null leaves it out. */
  readonly unknown: string | null;
  /** Join neighbouring unknown pieces into one. */
  readonly fuseUnknown: boolean;
  /** A character without a symbol becomes its UTF-8 bytes: `<0xE4>` … */
  readonly byteFallback: boolean;
  /** A word that is a piece itself is taken as it is. */
  readonly ignoreMerges: boolean;
  /** Put before every character but a word's first. */
  readonly prefix: string;
  /** Put after a word's last character. */
  readonly suffix: string;
}

// Not a symbol: MergeRules know no pair with it.
const unknownSymbol = -2;
const longestCached = 64;
const cacheSize = 50_000;

/** Cuts words by byte-pair encoding; remembers the words it saw. */
export class BpeModel implements WordModel {
  readonly #vocabulary: Vocabulary;
  readonly #rules: MergeRules;
  readonly #settings: BpeSettings;
  readonly #byteIds: Int32Array;
  readonly #unknownId: number;
  readonly #cache = new Map<string, Pieces>();

  constructor(vocabulary: Vocabulary, rules: MergeRules, settings: BpeSettings) {
    this.#vocabulary = vocabulary;
    this.#rules = rules;
    this.#settings = settings;
    const names = settings.byteLevel ? byteCharacters : fallbackNames;
    this.#byteIds = Int32Array.from(names, (name) => (vocabulary.has(name) ? vocabulary.id(name) : unknownSymbol));
    this.#unknownId = settings.unknown === null ? -1 : vocabulary.id(settings.unknown);
  }

  cut(word: string, dropout?: Dropout): Pieces {
    if (word.length === 0) return [];
    if (dropout !== undefined) return this.#cut(word, dropout);
    const known = this.#cache.get(word);
    if (known !== undefined) return known;
    const pieces = this.#cut(word, undefined);
    if (word.length <= longestCached) {
      if (this.#cache.size === cacheSize) this.#cache.clear();
      this.#cache.set(detached(word), pieces);
    }
    return pieces;
  }

  #cut(word: string, dropout: Dropout | undefined): Pieces {
    const { symbols, starts } = this.#settings.byteLevel ? this.#bytes(word) : this.#characters(word);
    const whole = this.#settings.ignoreMerges ? this.#whole(word, symbols) : undefined;
    const { ids, spans } = whole ?? this.#rules.apply(symbols, dropout);
    return this.#toPieces(ids, spans, starts);
  }

  #whole(word: string, symbols: readonly number[]) {
    const { byteLevel } = this.#settings;
    const token = byteLevel ? symbols.map((id) => this.#vocabulary.tokens[id] ?? '').join('') : word;
    return this.#vocabulary.has(token) ? { ids: [this.#vocabulary.id(token)], spans: [symbols.length] } : undefined;
  }

  /** The symbols of a word's bytes, and for each the place of its character in the word. */
  #bytes(word: string) {
    const symbols: number[] = [];
    const starts: number[] = [];
    const add = (byte: number, at: number): void => {
      symbols.push(this.#byteIds[byte] as number);
      starts.push(at);
    };
    for (let at = 0; at < word.length; at++) {
      const point = word.codePointAt(at) as number;
      eachUtf8Byte(point, (byte) => add(byte, at));
      if (point > 0xffff) at++;
    }
    starts.push(word.length);
    return { symbols, starts };
  }

  #characters(word: string) {
    const { prefix, suffix, byteFallback } = this.#settings;
    const symbols: number[] = [];
    const starts: number[] = [];
    let at = 0;
    for (const character of word) {
      const last = at + character.length === word.length;
      const symbol = `${at === 0 ? '' : prefix}${character}${last ? suffix : ''}`;
      if (this.#vocabulary.has(symbol)) {
        symbols.push(this.#vocabulary.id(symbol));
        starts.push(at);
      } else {
        const bytes = byteFallback ? this.#fallback(symbol) : undefined;
        for (const id of bytes ?? [unknownSymbol]) {
          symbols.push(id);
          starts.push(at);
        }
      }
      at += character.length;
    }
    starts.push(word.length);
    return { symbols, starts };
  }

  /** The ids of a character's bytes; undefined if the vocabulary lacks one of them. */
  #fallback(character: string): number[] | undefined {
    const ids: number[] = [];
    for (const letter of character) {
      eachUtf8Byte(letter.codePointAt(0) as number, (byte) => ids.push(this.#byteIds[byte] as number));
    }
    return ids.includes(unknownSymbol) ? undefined : ids;
  }

  #toPieces(symbols: readonly number[], spans: readonly number[], starts: readonly number[]): Pieces {
    const pieces: number[] = [];
    let first = 0;
    let fusing = false;
    symbols.forEach((id, index) => {
      const start = starts[first] as number;
      first += spans[index] as number;
      const end = endOf(starts, first);
      const unknown = id === unknownSymbol;
      if (unknown && this.#unknownId === -1) return;
      if (unknown && fusing && this.#settings.fuseUnknown) {
        pieces[pieces.length - 1] = end;
        return;
      }
      fusing = unknown;
      pieces.push(unknown ? this.#unknownId : id, start, end);
    });
    // A copy, which has no room to grow.
    return pieces.slice();
  }
}

/** Where a piece ends whose last symbol is before `last`: after the whole character, if it ends inside one. */
function endOf(starts: readonly number[], last: number): number {
  let next = last;
  while (next < starts.length - 1 && starts[next] === starts[last - 1]) next++;
  return starts[next] as number;
}

const fallbackNames = Array.from({ length: 256 }, (_, byte) => fallbackName(byte));

/** How a vocabulary writes the byte that a character without a symbol falls back to. */
export function fallbackName(byte: number): string {
  return `<0x${byte.toString(16).toUpperCase().padStart(2, '0')}>`;
}

/** A lone surrogate gives the bytes of U+FFFD, as everywhere in UTF-8. */
function eachUtf8Byte(point: number, use: (byte: number) => void): void {
  if (point < 0x80) {
    use(point);
  } else if (point < 0x800) {
    use(0xc0 | (point >> 6));
    use(0x80 | (point & 0x3f));
  } else if (point < 0x10000) {
    const unit = point >= 0xd800 && point <= 0xdfff ? 0xfffd : point;
    use(0xe0 | (unit >> 12));
    use(0x80 | ((unit >> 6) & 0x3f));
    use(0x80 | (unit & 0x3f));
  } else {
    use(0xf0 | (point >> 18));
    use(0x80 | ((point >> 12) & 0x3f));
    use(0x80 | ((point >> 6) & 0x3f));
    use(0x80 | (point & 0x3f));
  }
}
