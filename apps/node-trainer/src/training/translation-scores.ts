import { referenceSets, scoreCorpus } from '@seqloom/data-tokenizer';
import type { TextPair } from '../data/load-data.js';
import type { ScoreRecord } from '../report/run-report.js';
import { createMetric, type ScoreName, type ScoreSettings } from '../scores.js';

/** A source with every right answer to it. */
export interface Item {
  readonly source: string;
  readonly references: readonly string[];
}

/** Pairs as items: each for itself, or those with the same source together, in the order of their first. */
export function toItems(pairs: readonly TextPair[], variants: boolean): Item[] {
  if (!variants) return pairs.map(({ source, target }) => ({ source, references: [target] }));
  const items = new Map<string, string[]>();
  for (const { source, target } of pairs) {
    const known = items.get(source);
    if (known === undefined) items.set(source, [target]);
    else if (!known.includes(target)) known.push(target);
  }
  return [...items].map(([source, references]) => ({ source, references }));
}

/** Scores of translations, from 0 to 100, with their signatures. */
export function scoreTranslations(
  translations: readonly string[],
  items: readonly Item[],
  names: readonly ScoreName[],
  settings: ScoreSettings,
): Record<string, ScoreRecord> {
  const references = referenceSets(items.map((item) => item.references));
  return Object.fromEntries(
    names.map((name) => {
      const { score, signature } = scoreCorpus(createMetric(name, settings), translations, references);
      return [name, { score, signature }];
    }),
  );
}
