import type { DecodeOptions, Encoding, Tokenizer, TokenizerJSON } from '../tokenizers/tokenizer.js';
import type { Vocabulary } from '../vocabulary.js';
import type { Normalizer } from './normalizer.js';

/**
 * A tokenizer that normalizes texts before it cuts them. Offsets are those in the raw text; `decode` gives normalized
 * text; `toJSON` is the inner tokenizer's file, since the normalizer is kept beside it, not in it.
 */
export class NormalizedTokenizer implements Tokenizer {
  readonly tokenizer: Tokenizer;
  readonly normalizer: Normalizer;

  constructor(tokenizer: Tokenizer, normalizer: Normalizer) {
    this.tokenizer = tokenizer;
    this.normalizer = normalizer;
  }

  get vocabulary(): Vocabulary {
    return this.tokenizer.vocabulary;
  }

  get size(): number {
    return this.tokenizer.size;
  }

  encode(text: string): Encoding {
    const normalized = this.normalizer.align(text);
    const encoding = this.tokenizer.encode(normalized.text);
    return { ...encoding, offsets: encoding.offsets.map(([start, end]) => normalized.span(start, end)) };
  }

  decode(ids: ArrayLike<number>, options?: DecodeOptions): string {
    return this.tokenizer.decode(ids, options);
  }

  toJSON(): TokenizerJSON {
    return this.tokenizer.toJSON();
  }
}
