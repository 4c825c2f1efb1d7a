import { shuffle } from '@seqloom/data-tokenizer';
import type { TextPair } from '../data/load-data.js';
import type { CorpusPart } from './corpus-part.js';

const HELD_OUT = 1000;

/**
 * English words and how they are spoken, in ARPAbet: `read` → `R EH1 D`. They are those of the CMU Pronouncing Dictionary,
 * as npm's `cmu-pronouncing-dictionary` has them (its notice is `data/cmudict.LICENSE`).
 *
 * Words come in random order, all variants of a word one after the other, in the same part: 1,000 words in valid, 1,000
 * in test, the others in train.
 */
export async function* pronunciations(part: CorpusPart, seed: number): AsyncGenerator<TextPair> {
  const { dictionary } = await import('cmu-pronouncing-dictionary');
  const variants = new Map<string, Set<string>>();
  for (const [entry, spoken] of Object.entries(dictionary)) {
    const word = entry.replace(/\(\d+\)$/, '');
    const phonemes = spoken.replace(/\s*#.*$/, ''); // A few entries keep a comment: `# place, irish`.
    const known = variants.get(word) ?? new Set();
    variants.set(word, known.add(phonemes));
  }
  const words = shuffle([...variants.keys()], seed);
  const from = { valid: 0, test: HELD_OUT, train: 2 * HELD_OUT }[part];
  const to = part === 'train' ? words.length : from + HELD_OUT;
  for (const word of words.slice(from, to)) {
    for (const target of variants.get(word) ?? []) yield { source: word, target };
  }
}
