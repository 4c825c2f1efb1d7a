import { type Normalizer, referenceSets, scoreCorpus } from '@seqloom/data-tokenizer';
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

/** Items whose references were brought to the form that the model writes, such as one script of Chinese. */
export function normalizeReferences(items: readonly Item[], normalizer: Normalizer): Item[] {
  return items.map(({ source, references }) => ({
    source,
    references: [...new Set(references.map((text) => normalizer.apply(text)))],
  }));
}

/** Scores of translations, from 0 to 100, with their signatures; those name the steps that references went through, if any. */
export function scoreTranslations(
  translations: readonly string[],
  items: readonly Item[],
  names: readonly ScoreName[],
  settings: ScoreSettings,
  normalizer?: Normalizer,
): Record<string, ScoreRecord> {
  const compared = normalizer === undefined ? items : normalizeReferences(items, normalizer);
  const references = referenceSets(compared.map((item) => item.references));
  const steps = normalizer?.steps.join('+') ?? '';
  return Object.fromEntries(
    names.map((name) => {
      const { score, signature } = scoreCorpus(createMetric(name, settings), translations, references);
      return [name, { score, signature: steps === '' ? signature : `${signature}|refs:${steps}` }];
    }),
  );
}
