import { exactMatchMetric, type Metric } from '@seqloom/data-tokenizer';
import { withoutStress } from './data/stress.js';

export interface SpeltWordErrorRateOptions {
  readonly lowercase?: boolean;
  /** Ignore the digits of ARPAbet's vowels. */
  readonly stripStress?: boolean;
}

/**
 * 100 · wrong items / items: the word error rate of spelling and pronunciation, where an item is one word, spelt out in
 * symbols. It is right if it equals one of its references.
 */
export function speltWordErrorRateMetric({
  lowercase = false,
  stripStress = false,
}: SpeltWordErrorRateOptions): Metric<{ readonly score: number }> {
  const match = exactMatchMetric({ lowercase });
  const plain = stripStress ? withoutStress : (text: string) => text;
  return {
    name: 'WER',
    settings: [...match.settings, 'unit:item', `stress:${stripStress ? 'no' : 'yes'}`],
    statistics: (hypothesis, references) => match.statistics(plain(hypothesis), references.map(plain)),
    score: (sums) => ({ score: 100 - match.score(sums).score }),
    warnings: () => [],
  };
}
