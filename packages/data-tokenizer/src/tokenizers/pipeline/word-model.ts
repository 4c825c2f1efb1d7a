import type { Dropout } from '../bpe/merge-rules.js';

/** A word cut into pieces; starts and ends are UTF-16 offsets in the word. */
export interface Pieces {
  readonly ids: number[];
  readonly tokens: string[];
  readonly starts: number[];
  readonly ends: number[];
}

export const noPieces: Pieces = { ids: [], tokens: [], starts: [], ends: [] };

/** Cuts the words that a pre-tokenizer found into pieces of the vocabulary. */
export interface WordModel {
  cut(word: string, dropout?: Dropout): Pieces;
}
