import type { Sentence } from './pattern.js';

/**
 * The distinct sentences in a random order that the seed decides; one that is given several times tends to come earlier.
 * Each is ranked by itself, so that a sentence added to the grammar changes few lines of the corpus.
 */
export function shuffled(sentences: readonly Sentence[], seed: number): Sentence[] {
  const ranked = new Map<string, { sentence: Sentence; rank: number; copies: number }>();
  for (const sentence of sentences) {
    const entry = ranked.get(sentence.zh) ?? { sentence, rank: Number.POSITIVE_INFINITY, copies: 0 };
    entry.rank = Math.min(entry.rank, hash(`${seed} ${entry.copies} ${sentence.zh}`));
    entry.copies += 1;
    ranked.set(sentence.zh, entry);
  }
  const byRank = [...ranked.values()].sort((a, b) => a.rank - b.rank || (a.sentence.zh < b.sentence.zh ? -1 : 1));
  return byRank.map(({ sentence }) => sentence);
}

/** FNV-1a over UTF-16 units, with a last mix that spreads the low bits (MurmurHash3's). */
function hash(text: string): number {
  let value = 0x811c9dc5;
  for (let index = 0; index < text.length; index++) value = Math.imul(value ^ text.charCodeAt(index), 0x01000193);
  value = Math.imul(value ^ (value >>> 16), 0x85ebca6b);
  value = Math.imul(value ^ (value >>> 13), 0xc2b2ae35);
  return (value ^ (value >>> 16)) >>> 0;
}
