import type { Sentence } from './pattern.js';

/** The seed of the corpus as it is in `data/`. */
export const corpusSeed = 1;

const names = { training: 'zh-en.train.tsv', heldOut: 'zh-en.heldout.tsv' };

/** Where a part of the corpus lies. */
export function corpusFile(part: 'training' | 'heldOut'): URL {
  return new URL(`../../data/${names[part]}`, import.meta.url);
}

/** A line a pair: Chinese, tab, English. */
export function toTsv(sentences: readonly Sentence[]): string {
  return sentences.map(({ zh, en }) => `${zh}\t${en}\n`).join('');
}
