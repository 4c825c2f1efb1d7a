import { Vocabulary, type VocabularyLimits } from '../vocabulary.js';
import { countPieces, type TextSource } from './count-pieces.js';
import { graphemes } from './graphemes.js';
import { addedTokens, idsOf, withoutSpecial } from './special-tokens.js';
import type { DecodeOptions, Encoding, Tokenizer, TokenizerJSON } from './tokenizer.js';
import { toWellFormed } from './well-formed.js';

/**
 * One piece for every grapheme cluster, spaces included.
 *
 * `decode(encode(x).ids)` is `x` with lone surrogates replaced by U+FFFD and characters outside the vocabulary by
 * `<unk>`.
 *
 * @example
 * ```ts
 * const tokenizer = await CharacterTokenizer.train(['ab', 'ba']);
 * console.log(tokenizer.encode('abc').ids.join(' ')); // → 4 5 1
 * ```
 */
export class CharacterTokenizer implements Tokenizer {
  readonly vocabulary: Vocabulary;

  constructor(vocabulary: Vocabulary) {
    this.vocabulary = vocabulary;
  }

  /** Collects the characters of texts; see {@link Vocabulary.fromCounts} for their order. */
  static async train(texts: TextSource, limits: VocabularyLimits = {}): Promise<CharacterTokenizer> {
    const counts = await countPieces(texts, (text) => graphemes(toWellFormed(text)));
    return new CharacterTokenizer(Vocabulary.fromCounts(counts, limits));
  }

  get size(): number {
    return this.vocabulary.size;
  }

  encode(text: string): Encoding {
    const tokens = graphemes(toWellFormed(text));
    let at = 0;
    const offsets = tokens.map((token): [number, number] => {
      const start = at;
      at += token.length;
      return [start, at];
    });
    return { ids: idsOf(tokens, this.vocabulary), tokens, offsets };
  }

  decode(ids: ArrayLike<number>, options: DecodeOptions = {}): string {
    return withoutSpecial(ids, this.vocabulary, options).join('');
  }

  /**
   * A word-level model of single code points: other libraries agree wherever no cluster has more than one. Grapheme
   * clusters have no name in the format; the file says so beside its pre-tokenizer.
   */
  toJSON(): TokenizerJSON {
    return {
      version: '1.0',
      truncation: null,
      padding: null,
      added_tokens: addedTokens(this.vocabulary),
      normalizer: null,
      pre_tokenizer: {
        type: 'Split',
        pattern: { Regex: '[\\s\\S]' },
        behavior: 'Isolated',
        invert: false,
        seqloom: { segmentation: 'graphemes' },
      },
      post_processor: null,
      decoder: { type: 'Fuse' },
      model: {
        type: 'WordLevel',
        vocab: Object.fromEntries(this.vocabulary.tokens.map((token, id) => [token, id])),
        unk_token: '<unk>',
      },
    };
  }
}
