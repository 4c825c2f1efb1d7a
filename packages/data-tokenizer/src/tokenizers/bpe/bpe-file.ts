import { specialTokens, Vocabulary } from '../../vocabulary.js';
import { addedTokens } from '../special-tokens.js';
import type { TokenizerJSON } from '../tokenizer.js';
import { fallbackName } from './bpe-model.js';
import { byteCharacters } from './byte-alphabet.js';
import type { Merge } from './learn-merges.js';

/** What pieces are made of: UTF-8 bytes, or characters with bytes for the rare ones. */
export type Alphabet = 'bytes' | 'characters';

/** What byte-pair encoding has learned: the pieces by id, and how they are made of one another. */
export interface LearnedPieces {
  readonly alphabet: Alphabet;
  readonly symbols: readonly string[];
  readonly merges: readonly Merge[];
}

/*
 * Words: a run of letters (with their marks, and apostrophes between them), of digits, or of anything else, each with the
 * one space before it; further white space by itself. White space is \p{White_Space}, the same set everywhere, where \s
 * is not.
 */
const wordPattern =
  " ?[\\p{L}\\p{M}]+(?:['’][\\p{L}\\p{M}]+)*| ?\\p{N}+| ?[^\\p{White_Space}\\p{L}\\p{M}\\p{N}]+|" +
  '\\p{White_Space}+(?!\\P{White_Space})|\\p{White_Space}+';

/** One space is put before every text and taken off again, so that a word is the same piece wherever it stands. */
export function textSteps(alphabet: Alphabet): Pick<TokenizerJSON, 'normalizer' | 'pre_tokenizer' | 'decoder'> {
  const words = { type: 'Split', pattern: { Regex: wordPattern }, behavior: 'Isolated', invert: false };
  const bytes = { type: 'ByteLevel', add_prefix_space: false, trim_offsets: true, use_regex: false };
  const spaceOff = { type: 'Strip', content: ' ', start: 1, stop: 0 };
  return {
    normalizer: { type: 'Prepend', prepend: ' ' },
    pre_tokenizer: alphabet === 'bytes' ? { type: 'Sequence', pretokenizers: [words, bytes] } : words,
    decoder: {
      type: 'Sequence',
      decoders: alphabet === 'bytes' ? [bytes, spaceOff] : [{ type: 'ByteFallback' }, { type: 'Fuse' }, spaceOff],
    },
  };
}

/** The special pieces and the 256 bytes, with which every vocabulary begins. */
export function baseSymbols(alphabet: Alphabet): string[] {
  const bytes = alphabet === 'bytes' ? byteCharacters : byteCharacters.map((_, byte) => fallbackName(byte));
  return [...specialTokens, ...bytes];
}

/** A byte's id in every vocabulary made here. */
export function byteId(byte: number): number {
  return specialTokens.length + byte;
}

/** The `tokenizer.json` of learned pieces. */
export function bpeFile({ alphabet, symbols, merges }: LearnedPieces): TokenizerJSON {
  const piece = (id: number): string => symbols[id] as string;
  return {
    version: '1.0',
    truncation: null,
    padding: null,
    added_tokens: addedTokens(new Vocabulary(symbols)),
    post_processor: null,
    ...textSteps(alphabet),
    model: {
      type: 'BPE',
      dropout: null,
      unk_token: '<unk>',
      continuing_subword_prefix: null,
      end_of_word_suffix: null,
      fuse_unk: false,
      byte_fallback: alphabet === 'characters',
      ignore_merges: false,
      vocab: Object.fromEntries(symbols.map((symbol, id) => [symbol, id])),
      merges: merges.map(({ left, right }) => [piece(left), piece(right)]),
    },
  };
}
