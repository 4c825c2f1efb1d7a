import {
  type BleuTokenizerName,
  bleuMetric,
  chrfMetric,
  exactMatchMetric,
  type Metric,
  phonemeErrorRateMetric,
  terMetric,
  wordErrorRateMetric,
} from '@seqloom/data-tokenizer';
import { speltWordErrorRateMetric } from './spelt-word-error-rate.js';

/** Scores that a command line or a config can ask for. */
export const scoreNames = [
  'bleu',
  'chrf',
  'ter',
  'exactMatch',
  'wordErrorRate',
  'phonemeErrorRate',
  'wordErrorRateUnstressed',
  'phonemeErrorRateUnstressed',
] as const;
export type ScoreName = (typeof scoreNames)[number];

export interface ScoreSettings {
  readonly tokenize?: BleuTokenizerName | undefined;
  /** For BLEU, chrF, exact match and word error rate; TER has a setting of its own, as in sacreBLEU. */
  readonly lowercase?: boolean | undefined;
  /** chrF's word order; 2 is chrF++. */
  readonly wordOrder?: number | undefined;
  readonly terCaseSensitive?: boolean | undefined;
  readonly stripStress?: boolean | undefined;
  /** What a text is: a sentence of words, or a word of letters or phonemes, which is right or wrong as a whole. */
  readonly items?: 'sentences' | 'words' | undefined;
}

/** For these, less is better. */
export const lowerIsBetter: ReadonlySet<string> = new Set<string>([
  'loss',
  'ter',
  ...scoreNames.filter((name) => name.includes('ErrorRate')),
]);

export function createMetric(name: ScoreName, settings: ScoreSettings): Metric<{ readonly score: number }> {
  const { tokenize, lowercase = false, wordOrder, stripStress = false, terCaseSensitive = false, items } = settings;
  switch (name) {
    case 'bleu':
      return bleuMetric({ lowercase, ...(tokenize !== undefined && { tokenize }) });
    case 'chrf':
      return chrfMetric({ lowercase, ...(wordOrder !== undefined && { wordOrder }) });
    case 'ter':
      return terMetric({ caseSensitive: terCaseSensitive });
    case 'exactMatch':
      return exactMatchMetric({ lowercase });
    case 'wordErrorRate':
      return items === 'words'
        ? speltWordErrorRateMetric({ lowercase, stripStress })
        : wordErrorRateMetric({ lowercase });
    case 'phonemeErrorRate':
      return phonemeErrorRateMetric({ stripStress });
    case 'wordErrorRateUnstressed':
      return speltWordErrorRateMetric({ lowercase, stripStress: true });
    case 'phonemeErrorRateUnstressed':
      return phonemeErrorRateMetric({ stripStress: true });
  }
}

/** The tokenizer that BLEU should have for a language: words where spaces part them, characters where not. */
export function bleuTokenizerFor(language: string | null): BleuTokenizerName {
  const name = language?.toLowerCase().split('-')[0];
  if (name === 'zh' || name === 'yue' || name === 'cmn') return 'zh';
  return name === 'ja' || name === 'th' || name === 'lo' || name === 'km' || name === 'my' ? 'char' : '13a';
}
