import { seededRandom } from '@seqloom/data-tokenizer';
import type { TextPair } from '../data/load-data.js';
import { type CorpusPart, streamOf } from './corpus-part.js';

const NUMBERS = 50;
const shapes = {
  train: { pairs: 50_000, longest: 25 },
  valid: { pairs: 1000, longest: 30 },
  test: { pairs: 1000, longest: 30 },
} as const;

/**
 * Sequences of the numbers 0–49, and the same backwards: `3 14 15` → `15 14 3`. It is the toy task of Joey NMT: training
 * lengths are uniform in 1–25, the others' in 1–30, so that a sixth of what is measured is longer than anything seen.
 *
 * Short sequences repeat, within a part and between parts: there are only 50 of length one.
 */
export function* reversedNumbers(part: CorpusPart, seed: number): Generator<TextPair> {
  const random = seededRandom(seed, streamOf[part]);
  const { pairs, longest } = shapes[part];
  for (let made = 0; made < pairs; made++) {
    const numbers = Array.from({ length: 1 + random.below(longest) }, () => random.below(NUMBERS));
    yield { source: numbers.join(' '), target: numbers.toReversed().join(' ') };
  }
}
