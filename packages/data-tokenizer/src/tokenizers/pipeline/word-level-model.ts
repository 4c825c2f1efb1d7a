import type { Vocabulary } from '../../vocabulary.js';
import { toByteCharacters } from '../bpe/byte-alphabet.js';
import { noPieces, type Pieces, type WordModel } from './word-model.js';

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
    const token = this.#byteLevel ? toByteCharacters(word) : word;
    const id = this.#vocabulary.id(token);
    return id === -1 || word.length === 0 ? noPieces : { ids: [id], tokens: [token], starts: [0], ends: [word.length] };
  }
}
