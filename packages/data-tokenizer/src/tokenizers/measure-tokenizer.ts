import type { TextSource } from './count-pieces.js';
import type { Tokenizer } from './tokenizer.js';
import { wordCutter } from './words.js';

/** How a tokenizer fares on texts. */
export interface TokenizerReport {
  readonly texts: number;
  /** Words as Unicode cuts them, punctuation not counted. */
  readonly words: number;
  readonly pieces: number;
  readonly unknown: number;
  /** unknown / pieces: what the model cannot see. */
  readonly unknownShare: number;
  readonly piecesPerWord: number;
  /** Pieces of the longest text. */
  readonly longest: number;
}

/**
 * Encodes texts and counts pieces and unknown ones. A share of unknown pieces far above that of the training text, or
 * far more pieces a word, means that the vocabulary was made from other text.
 *
 * @example
 * ```ts
 * const tokenizer = await WordTokenizer.train(['the cat sat', 'the dog sat']);
 * const { unknownShare, piecesPerWord } = await measureTokenizer(tokenizer, ['the cow sat.']);
 * console.log(unknownShare, piecesPerWord); // → 0.5 1.3333333333333333
 * ```
 */
export async function measureTokenizer(tokenizer: Tokenizer, texts: TextSource): Promise<TokenizerReport> {
  const cut = wordCutter('words');
  const unknownId = tokenizer.vocabulary.unknownId;
  let count = 0;
  let words = 0;
  let pieces = 0;
  let unknown = 0;
  let longest = 0;
  for await (const text of texts) {
    const { ids } = tokenizer.encode(text);
    count++;
    words += cut(text).filter((word) => /[\p{L}\p{N}]/u.test(word.text)).length;
    pieces += ids.length;
    for (const id of ids) if (id === unknownId) unknown++;
    longest = Math.max(longest, ids.length);
  }
  return {
    texts: count,
    words,
    pieces,
    unknown,
    unknownShare: pieces === 0 ? 0 : unknown / pieces,
    piecesPerWord: words === 0 ? 0 : pieces / words,
    longest,
  };
}
