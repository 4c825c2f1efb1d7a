// Scheduled sampling (Bengio et al. 2015): while training, the decoder reads some of its own guesses instead of the truth.
import { type DropoutKey, deriveSeed, Random } from '@seqloom/tensor-ops';
import { z } from 'zod';
import { type Batch, sourcesOf, targetsOf } from '../batch.js';
import type { Seq2Seq } from '../model.js';
import { Scorer } from '../search/scorer.js';

export const scheduledSamplingSchema = z.strictObject({
  kind: z
    .enum(['constant', 'linear', 'inverse-sigmoid'])
    .describe('How the share of true inputs falls: not at all, in a straight line, or as k / (k + exp(step / k)).'),
  truth: z
    .number()
    .min(0)
    .max(1)
    .default(0.75)
    .describe('constant: the share of true inputs; linear: the lowest share.'),
  steps: z.int().min(1).default(10_000).describe('linear: steps until the lowest share.'),
  k: z.number().min(1).default(1000).describe('inverse-sigmoid: the larger, the slower.'),
});

export type ScheduledSampling = z.output<typeof scheduledSamplingSchema>;

/** The share of true inputs at a step (from 1); §2.4 of the paper. */
export function truthShare({ kind, truth, steps, k }: ScheduledSampling, step: number): number {
  if (kind === 'constant') return truth;
  if (kind === 'linear') return Math.max(truth, 1 - ((1 - truth) * step) / steps);
  return k / (k + Math.exp(step / k));
}

/**
 * What the decoder is to read, [B, T]: each token after `<bos>` is the true one with probability `truth`, else the model's most
 * probable one after what it has read so far. Drawn token by token, each row from its own seed.
 */
export function sampledInputs(model: Seq2Seq, batch: Batch, truth: number, key: DropoutKey): Int32Array {
  const { padId, targetVocabulary } = model.config;
  const { inputs, width, lengths } = targetsOf(batch, padId);
  const mixed = inputs.slice();
  const draws = Array.from(lengths, (_, row) => {
    const random = new Random(deriveSeed(key.seed, `sampling ${key.step} ${key.rowOffset + row}`));
    return Array.from({ length: width }, () => random.uniform());
  });
  const scorer = new Scorer([model], sourcesOf(batch, padId));
  try {
    for (let t = 1; t < width; t++) {
      const last = Int32Array.from(lengths, (_, row) => mixed[row * width + t - 1]!);
      scorer.advance(last, ({ logProbabilities }) => {
        for (const [row, length] of lengths.entries()) {
          if (t >= length || draws[row]![t]! < truth) continue;
          mixed[row * width + t] = largest(
            logProbabilities.subarray(row * targetVocabulary, (row + 1) * targetVocabulary),
          );
        }
      });
    }
  } finally {
    scorer.dispose();
  }
  return mixed;
}

function largest(values: Float32Array): number {
  let best = 0;
  for (let i = 1; i < values.length; i++) if (values[i]! > values[best]!) best = i;
  return best;
}
