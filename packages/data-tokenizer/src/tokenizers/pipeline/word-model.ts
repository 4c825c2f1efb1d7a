import type { Dropout } from '../bpe/merge-rules.js';

/**
 * A word cut into pieces: id, start, end of the first, then of the second, and so on. Starts and ends are UTF-16 offsets
 * in the word. Flat, because tens of thousands of words are remembered.
 */
export type Pieces = readonly number[];

/** Cuts the words that a pre-tokenizer found into pieces of the vocabulary. */
export interface WordModel {
  cut(word: string, dropout?: Dropout): Pieces;
}
