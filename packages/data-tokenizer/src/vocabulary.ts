/** The pieces with a fixed meaning and their ids, the same in every vocabulary made here. */
export const specialTokens = ['<pad>', '<unk>', '<bos>', '<eos>'] as const;

/** The id of `<pad>`, which fills rows up. */
export const padId = 0;
/** The id of `<unk>`, which stands for what is not in the vocabulary. */
export const unkId = 1;
/** The id of `<bos>`, with which a target begins. */
export const bosId = 2;
/** The id of `<eos>`, with which a target ends. */
export const eosId = 3;

/** Which pieces are left out of a vocabulary. */
export interface VocabularyLimits {
  /** Leave out pieces seen fewer times; default 1. */
  readonly minFrequency?: number;
  /** Largest number of entries, the four special ones counted; default no limit. */
  readonly maxSize?: number;
}

/**
 * Pieces of text and their ids: a bijection between `size` strings and 0 … size-1.
 *
 * @example
 * ```ts
 * const vocabulary = Vocabulary.fromCounts(new Map([['the', 9], ['a', 12]]));
 * console.log(vocabulary.tokens.join(' ')); // → <pad> <unk> <bos> <eos> a the
 * console.log(vocabulary.id('a'), vocabulary.id('zebra')); // → 4 1
 * ```
 */
export class Vocabulary {
  readonly tokens: readonly string[];
  /** The id that pieces outside the vocabulary get; -1 if there is none. */
  readonly unknownId: number;
  readonly #ids: ReadonlyMap<string, number>;

  /**
   * @param tokens every piece at the index that is its id.
   * @param unknown the piece that stands for all others; default `<unk>`.
   * @throws Error if a piece occurs twice.
   */
  constructor(tokens: readonly string[], unknown: string = specialTokens[unkId]) {
    const ids = new Map<string, number>();
    tokens.forEach((token, id) => {
      const earlier = ids.get(token);
      if (earlier !== undefined) {
        throw new Error(`Vocabulary: each piece has one id; got ${JSON.stringify(token)} as both ${earlier} and ${id}`);
      }
      ids.set(token, id);
    });
    this.tokens = tokens;
    this.#ids = ids;
    this.unknownId = ids.get(unknown) ?? -1;
  }

  /** The four special pieces, then what was counted: most frequent first, ties in code point order. */
  static fromCounts(counts: ReadonlyMap<string, number>, limits: VocabularyLimits = {}): Vocabulary {
    const { minFrequency = 1, maxSize = Number.POSITIVE_INFINITY } = limits;
    if (!(maxSize > specialTokens.length)) {
      throw new Error(`Vocabulary: maxSize must be over ${specialTokens.length} (the special pieces); got ${maxSize}`);
    }
    const special: ReadonlySet<string> = new Set(specialTokens);
    const kept = [...counts].filter(([token, count]) => count >= minFrequency && !special.has(token));
    kept.sort(([a, m], [b, n]) => n - m || compareCodePoints(a, b));
    const tokens = kept.slice(0, maxSize - specialTokens.length).map(([token]) => token);
    return new Vocabulary([...specialTokens, ...tokens]);
  }

  get size(): number {
    return this.tokens.length;
  }

  has(token: string): boolean {
    return this.#ids.has(token);
  }

  /** The piece's id, or the unknown piece's; -1 where the vocabulary has no unknown piece. */
  id(token: string): number {
    return this.#ids.get(token) ?? this.unknownId;
  }

  /** @throws RangeError unless `id` is a whole number in [0, size). */
  token(id: number): string {
    const token = this.tokens[id];
    if (token === undefined)
      throw new RangeError(`Vocabulary: id must be a whole number in [0, ${this.size}); got ${id}`);
    return token;
  }
}

/** Orders strings by code points; JavaScript's own `<` orders by UTF-16 units, which puts U+FFFF after U+10000. */
export function compareCodePoints(a: string, b: string): number {
  const length = Math.min(a.length, b.length);
  for (let i = 0; i < length; i++) {
    const x = a.charCodeAt(i);
    const y = b.charCodeAt(i);
    if (x !== y) return fixUp(x) - fixUp(y);
  }
  return a.length - b.length;
}

// Moves surrogates above U+FFFF's neighbours so that units compare as the code points they begin.
function fixUp(unit: number): number {
  return unit >= 0xe000 ? unit - 0x800 : unit >= 0xd800 ? unit + 0x2000 : unit;
}
