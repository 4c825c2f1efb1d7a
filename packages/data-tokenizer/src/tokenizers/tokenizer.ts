import type { Vocabulary } from '../vocabulary.js';
import type { Dropout } from './bpe/merge-rules.js';

/** A text cut into pieces; the three arrays have equal lengths. */
export interface Encoding {
  readonly ids: Int32Array;
  /** The pieces as the vocabulary has them; what is not in it stays as it was, with the id of `<unk>`. */
  readonly tokens: string[];
  /** Where each piece lies in the raw text: UTF-16 offsets, end exclusive, without surrounding spaces. */
  readonly offsets: [start: number, end: number][];
}

/** How a text is encoded. */
export interface EncodeOptions {
  /** Merges are passed over at random; the same random numbers give the same pieces. Only byte-pair encoding has merges. */
  readonly dropout?: Dropout;
}

/** How ids become text. */
export interface DecodeOptions {
  /** Keep `<pad>`, `<bos>` and `<eos>` in the text; default false. */
  readonly keepSpecial?: boolean;
}

/** Text to ids and back. Ids are those of `vocabulary`. Never throws on text, whatever it holds. */
export interface Tokenizer {
  readonly vocabulary: Vocabulary;
  /** Number of ids. */
  readonly size: number;
  encode(text: string, options?: EncodeOptions): Encoding;
  /** @throws RangeError for an id that is not in the vocabulary. */
  decode(ids: ArrayLike<number>, options?: DecodeOptions): string;
  /** A Hugging Face `tokenizer.json`, which `tokenizerFromJSON` reads back. */
  toJSON(): TokenizerJSON;
}

/** The outer form of a Hugging Face `tokenizer.json`. */
export interface TokenizerJSON {
  readonly version: string;
  readonly truncation: unknown;
  readonly padding: unknown;
  readonly added_tokens: readonly AddedTokenJSON[];
  readonly normalizer: unknown;
  readonly pre_tokenizer: unknown;
  readonly post_processor: unknown;
  readonly decoder: unknown;
  readonly model: { readonly type: string; readonly [key: string]: unknown };
}

/** A piece that a `tokenizer.json` lists beside the model. */
export interface AddedTokenJSON {
  readonly id: number;
  readonly content: string;
  readonly single_word: boolean;
  readonly lstrip: boolean;
  readonly rstrip: boolean;
  readonly normalized: boolean;
  readonly special: boolean;
}
