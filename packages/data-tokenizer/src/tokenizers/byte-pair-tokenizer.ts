import { bpeFile } from './bpe/bpe-file.js';
import { type BytePairOptions, countWords, learnPieces, type WordCounts } from './bpe/train-bpe.js';
import { vocabularyOfSide } from './bpe/vocabulary-by-side.js';
import type { TextSource } from './count-pieces.js';
import { PipelineTokenizer } from './pipeline/pipeline-tokenizer.js';

/** What is to be learned from both sides of a corpus together. */
export interface JointOptions extends BytePairOptions {
  /** A piece is in a side's vocabulary only if that side's text gives it so often (for both sides, or each); default 1. */
  readonly sideMinFrequency?: number | { readonly source: number; readonly target: number };
}

/** What is learned from both sides of a corpus together. */
export interface JointTokenizers {
  /** All pieces: one vocabulary, for models that share embeddings between the sides. */
  readonly joint: BytePairTokenizer;
  /** The same merges with only the pieces that the source side needs. */
  readonly source: BytePairTokenizer;
  /** The same merges with only the pieces that the target side needs. */
  readonly target: BytePairTokenizer;
}

/**
 * Byte-pair encoding (Sennrich et al. 2016), by UTF-8 bytes or by characters with bytes for the rare ones: frequent words
 * are one piece, others several, and nothing is ever unknown.
 *
 * `decode(encode(x).ids)` of a tokenizer trained here is `x` itself, with lone surrogates replaced by U+FFFD. (As in all
 * Hugging Face tokenizers, the names of special pieces within a text, such as `<eos>`, are read as those pieces; the
 * decoded text has a space in their place.) Its file gives the same ids in `@huggingface/tokenizers` and in `tokenizers`.
 *
 * Learning is deterministic: of equally frequent pairs, the one whose left piece, then whose right piece was there first
 * is joined.
 *
 * @example
 * ```ts
 * const texts = ['low lower lowest', 'new newer newest', 'low new'];
 * const tokenizer = await BytePairTokenizer.train(texts, { vocabularySize: 270 });
 * console.log(tokenizer.encode('lower newest').tokens.join('|')); // → Ġlow|er|Ġnew|est
 * console.log(tokenizer.decode(tokenizer.encode('Never seen: 你好!').ids)); // → Never seen: 你好!
 * ```
 */
export class BytePairTokenizer extends PipelineTokenizer {
  /** Learns pieces from texts. @throws RangeError for a vocabulary too small for its alphabet. */
  static async train(texts: TextSource, options: BytePairOptions): Promise<BytePairTokenizer> {
    const words = await countWords(texts, options.alphabet ?? 'bytes');
    return new BytePairTokenizer(bpeFile(learnPieces([words], options)));
  }

  /**
   * Learns pieces from both sides together, so that names and numbers are cut alike in both, and gives each side a
   * vocabulary of its own (subword-nmt's "vocabulary by side").
   *
   * @throws RangeError for a vocabulary too small for its alphabet, or a frequency below 1.
   */
  static async trainJoint(source: TextSource, target: TextSource, options: JointOptions): Promise<JointTokenizers> {
    const { alphabet = 'bytes', sideMinFrequency: least = 1 } = options;
    const [sourceLeast, targetLeast] = typeof least === 'number' ? [least, least] : [least.source, least.target];
    for (const value of [sourceLeast, targetLeast])
      if (!(value >= 1)) throw new RangeError(`BytePairTokenizer: sideMinFrequency must be at least 1; got ${value}`);
    const sourceWords = await countWords(source, alphabet);
    const targetWords = await countWords(target, alphabet);
    const joint = learnPieces([sourceWords, targetWords], options);
    const side = (words: WordCounts, minFrequency: number) =>
      new BytePairTokenizer(bpeFile(vocabularyOfSide(joint, words, minFrequency)));
    return {
      joint: new BytePairTokenizer(bpeFile(joint)),
      source: side(sourceWords, sourceLeast),
      target: side(targetWords, targetLeast),
    };
  }
}
