import { AlignedText } from '../../normalize/aligned-text.js';
import { compareCodePoints } from '../../vocabulary.js';
import type { TextSource } from '../count-pieces.js';
import { countPieces } from '../count-pieces.js';
import { JsonNode } from '../pipeline/json-node.js';
import { readNormalizer } from '../pipeline/normalizers.js';
import { cutWords, readPreTokenizer } from '../pipeline/pre-tokenizers.js';
import { toWellFormed } from '../well-formed.js';
import { type Alphabet, baseSymbols, byteId, type LearnedPieces, textSteps } from './bpe-file.js';
import { type CountedWord, learnMerges } from './learn-merges.js';

/** What a byte-pair encoding is to learn. */
export interface BytePairOptions {
  /** Number of pieces: 4 special ones, 256 bytes, (characters,) and what is learned. Fewer if the text gives no more. */
  readonly vocabularySize: number;
  /** Default `bytes`. */
  readonly alphabet?: Alphabet;
  /** A pair is joined only if it occurs so often, a character is a piece only if it does; default 2. */
  readonly minFrequency?: number;
}

/** How often each word occurs. */
export type WordCounts = ReadonlyMap<string, number>;

/** How often each word occurs in texts, words being cut as the tokenizer will cut them. */
export async function countWords(texts: TextSource, alphabet: Alphabet): Promise<WordCounts> {
  const steps = textSteps(alphabet);
  const normalize = readNormalizer(new JsonNode(steps.normalizer, 'normalizer'));
  const preTokenizer = readPreTokenizer(new JsonNode(steps.pre_tokenizer, 'pre_tokenizer'));
  return countPieces(texts, (text) => cutWords(normalize(AlignedText.of(toWellFormed(text))), preTokenizer, true));
}

/** @throws RangeError for a vocabulary too small for its alphabet, or a frequency that is none. */
export function learnPieces(words: readonly WordCounts[], options: BytePairOptions): LearnedPieces {
  const { vocabularySize, alphabet = 'bytes', minFrequency = 2 } = options;
  const symbols = baseSymbols(alphabet);
  if (!Number.isInteger(vocabularySize) || vocabularySize < symbols.length) {
    throw new RangeError(
      `BytePairTokenizer: vocabularySize must be a whole number from ${symbols.length} on (special pieces and bytes); got ${vocabularySize}`,
    );
  }
  if (!(minFrequency >= 1))
    throw new RangeError(`BytePairTokenizer: minFrequency must be at least 1; got ${minFrequency}`);
  if (alphabet === 'characters') {
    symbols.push(...frequentCharacters(words, minFrequency).slice(0, vocabularySize - symbols.length));
  }
  const counted = toSymbols(words, symbols, alphabet);
  const merges = learnMerges(counted, symbols, { size: vocabularySize, minFrequency });
  return { alphabet, symbols, merges };
}

/** Words as ids of their first symbols. A character that is no symbol divides its word: bytes are never joined to it. */
export function* toSymbols(
  words: readonly WordCounts[],
  symbols: readonly string[],
  alphabet: Alphabet,
): Generator<CountedWord> {
  const ids = new Map(symbols.map((symbol, id) => [symbol, id]));
  const encoder = new TextEncoder();
  for (const [word, count] of together(words)) {
    if (alphabet === 'bytes') {
      yield { symbols: Array.from(encoder.encode(word), byteId), count };
      continue;
    }
    let part: number[] = [];
    for (const character of word) {
      const id = ids.get(character);
      if (id !== undefined) {
        part.push(id);
      } else if (part.length > 0) {
        yield { symbols: part, count };
        part = [];
      }
    }
    if (part.length > 0) yield { symbols: part, count };
  }
}

function* together(words: readonly WordCounts[]): Generator<[word: string, count: number]> {
  for (const counts of words) yield* counts;
}

/** Most frequent first, then by code points. U+FFFD stands for what could not be read, so it is no letter. */
function frequentCharacters(words: readonly WordCounts[], minFrequency: number): string[] {
  const counts = new Map<string, number>();
  for (const [word, count] of together(words)) {
    for (const character of word) counts.set(character, (counts.get(character) ?? 0) + count);
  }
  counts.delete('\uFFFD');
  return [...counts]
    .filter(([, count]) => count >= minFrequency)
    .sort(([a, m], [b, n]) => n - m || compareCodePoints(a, b))
    .map(([character]) => character);
}
