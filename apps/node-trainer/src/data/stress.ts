import type { TextPair } from './load-data.js';

/**
 * Pairs whose targets have lost the digits of ARPAbet's vowels (`AH0 → AH`), which say how a vowel is stressed. Pairs that
 * stress alone told apart become one.
 */
export function removeStress(pairs: readonly TextPair[]): TextPair[] {
  const plain = pairs.map(({ source, target }) => ({ source, target: withoutStress(target) }));
  return [...new Map(plain.map((pair) => [`${pair.source}\t${pair.target}`, pair])).values()];
}

/** `R IY1 D → R IY D`; what is not such a vowel stays. */
export function withoutStress(phonemes: string): string {
  return phonemes.replaceAll(/(?<!\S)([A-Z]{2})[0-2](?!\S)/g, '$1');
}
