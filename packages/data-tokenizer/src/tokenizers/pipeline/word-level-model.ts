import type { Vocabulary } from '../../vocabulary.js';
import { toByteCharacters } from '../bpe/byte-alphabet.js';
import type { Pieces, WordModel } from './word-model.js';

/** Every word is one piece, or the unknown one. */
export class WordLevelModel implements WordModel {
  readonly #vocabulary: Vocabulary;
  readonly #byteLevel: boolean;

  /** @param byteLevel the vocabulary writes words by bytes (the pre-tokenizer `ByteLevel`). */
  constructor(vocabulary: Vocabulary, byteLevel: boolean) {
    this.#vocabulary = vocabulary;
    this.#byteLevel = byteLevel;
  }

  cut(word: string): Pieces {
    const id = this.#vocabulary.id(this.#byteLevel ? toByteCharacters(word) : word);
    return id === -1 || word.length === 0 ? [] : [id, 0, word.length];
  }
}
