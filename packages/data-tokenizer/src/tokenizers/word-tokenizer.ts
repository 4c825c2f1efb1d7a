import { unkId, Vocabulary, type VocabularyLimits } from '../vocabulary.js';
import { countPieces, type TextSource } from './count-pieces.js';
import { escapeMarks, joinPieces, markSpacing, plainPiece, type SpacedPiece } from './spacing.js';
import { addedTokens, isSpecial, withoutSpecial } from './special-tokens.js';
import type { DecodeOptions, Encoding, Tokenizer, TokenizerJSON } from './tokenizer.js';
import { toWellFormed } from './well-formed.js';
import { type Segmentation, type WordCutter, wordCutter } from './words.js';

/** How a text is cut into words. */
export interface WordOptions {
  /** Default `words`. */
  readonly segmentation?: Segmentation;
  /** The language whose dictionary is favoured, a BCP 47 tag such as `zh`; default none. */
  readonly locale?: string;
}

/**
 * One piece for every word or punctuation mark, by Unicode's word boundaries: 欢迎来北京 gives 欢迎, 来, 北京.
 *
 * `decode(encode(x).ids)` is the normal form of `x`: whitespace trimmed, each run of it one space, lone surrogates
 * replaced by U+FFFD, and words outside the vocabulary by `<unk>`. (With `segmentation: 'words'`, the two characters that
 * mark unusual spacing, ￭ and ▁, come back as ■ and _.)
 *
 * @example
 * ```ts
 * const tokenizer = await WordTokenizer.train(['欢迎来北京。', '"Welcome", he said.'], { locale: 'zh' });
 * console.log(tokenizer.encode('欢迎来北京').tokens.join(' ')); // → 欢迎 来 北京
 * console.log(tokenizer.decode(tokenizer.encode('he  said "Welcome".').ids)); // → he said "Welcome".
 * ```
 */
export class WordTokenizer implements Tokenizer {
  readonly vocabulary: Vocabulary;
  readonly segmentation: Segmentation;
  readonly locale: string;
  readonly #cut: WordCutter;

  constructor(vocabulary: Vocabulary, options: WordOptions = {}) {
    this.vocabulary = vocabulary;
    this.segmentation = options.segmentation ?? 'words';
    this.locale = options.locale ?? 'und';
    this.#cut = wordCutter(this.segmentation, this.locale);
  }

  /** Collects the words of texts; see {@link Vocabulary.fromCounts} for their order. */
  static async train(texts: TextSource, options: WordOptions & VocabularyLimits = {}): Promise<WordTokenizer> {
    const cutter = new WordTokenizer(Vocabulary.fromCounts(new Map()), options);
    const counts = await countPieces(texts, (text) => cutter.#pieces(text).flatMap(({ token }) => withPlain(token)));
    return new WordTokenizer(Vocabulary.fromCounts(counts, options), options);
  }

  get size(): number {
    return this.vocabulary.size;
  }

  encode(text: string): Encoding {
    const pieces = this.#pieces(text);
    const tokens = pieces.map(({ token }) => this.#known(token));
    return {
      // A text that is cut at whitespace may hold the name of a special piece; there it is a word like any other.
      ids: Int32Array.from(tokens, (token) => (isSpecial(token) ? unkId : this.vocabulary.id(token))),
      tokens,
      offsets: pieces.map(({ start, end }): [number, number] => [start, end]),
    };
  }

  decode(ids: ArrayLike<number>, options: DecodeOptions = {}): string {
    const tokens = withoutSpecial(ids, this.vocabulary, options);
    return this.segmentation === 'whitespace' ? tokens.join(' ') : joinPieces(tokens);
  }

  /**
   * A word-level model that cuts at whitespace: other libraries agree on text whose words are already separated by
   * spaces (`encode(x).tokens.join(' ')`). Word boundaries have no name in the format; the file says so beside its pre-tokenizer.
   */
  toJSON(): TokenizerJSON {
    return {
      version: '1.0',
      truncation: null,
      padding: null,
      added_tokens: addedTokens(this.vocabulary),
      normalizer: null,
      pre_tokenizer: { type: 'WhitespaceSplit', seqloom: { segmentation: this.segmentation, locale: this.locale } },
      post_processor: null,
      decoder: null,
      model: {
        type: 'WordLevel',
        vocab: Object.fromEntries(this.vocabulary.tokens.map((token, id) => [token, id])),
        unk_token: '<unk>',
      },
    };
  }

  #pieces(text: string): SpacedPiece[] {
    const raw = toWellFormed(text);
    if (this.segmentation === 'whitespace') {
      return this.#cut(raw).map(({ text: token, start, end }) => ({ token, start, end }));
    }
    return markSpacing(this.#cut(escapeMarks(raw)));
  }

  // A mark on a piece never makes it unknown: without the mark only the spacing is lost.
  #known(token: string): string {
    if (this.vocabulary.has(token) || this.segmentation === 'whitespace') return token;
    const plain = plainPiece(token);
    return this.vocabulary.has(plain) ? plain : token;
  }
}

function withPlain(token: string): string[] {
  const plain = plainPiece(token);
  return plain === token ? [token] : [token, plain];
}
