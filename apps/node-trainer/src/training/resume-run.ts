import { existsSync } from 'node:fs';
import path from 'node:path';
import { TextCodec } from '@seqloom/data-tokenizer';
import { latestCheckpoint, type TrainingCheckpoint } from '@seqloom/seq2seq';
import { folder } from '@seqloom/seq2seq/node';
import { z } from 'zod';
import { InputError } from '../errors.js';

/** What a run has spent, over all the times it was resumed. */
export interface RunTotals {
  /** Target tokens trained on. */
  tokens: number;
  /** Seconds within steps. */
  stepSeconds: number;
  /** Seconds in all, validation included. */
  seconds: number;
}

/** What a run's checkpoints hold beside the training state. */
const extraSchema = z.object({
  text: z.unknown(),
  totals: z.object({ tokens: z.number(), stepSeconds: z.number(), seconds: z.number() }),
});

/** The state a stopped run goes on from. */
export interface ResumePoint {
  readonly checkpoint: TrainingCheckpoint;
  readonly codec: TextCodec;
  /** Newer checkpoints that are damaged and were passed over. */
  readonly notes: readonly string[];
}

/**
 * The newest whole checkpoint of a run; undefined where it was stopped before it wrote one.
 *
 * @throws InputError if there is no run, or all its checkpoints are damaged.
 */
export async function findResumePoint(directory: string): Promise<ResumePoint | undefined> {
  const store = folder(directory);
  const found = await latestCheckpoint(store).catch((error: Error) => {
    throw new InputError(error.message.replace(/^latestCheckpoint: /, ''), {}, { cause: error });
  });
  if (found === null) {
    if (existsSync(path.join(directory, 'recipe.yaml'))) return undefined;
    throw new InputError('there is no checkpoint to resume from', { file: directory });
  }
  const extra = extraSchema.safeParse(found.checkpoint.extra);
  if (!extra.success)
    throw new InputError(`checkpoint ${found.name} was not written by seqloom train`, { file: directory });
  const codec = await TextCodec.load(store, extra.data.text);
  const notes = found.damaged.map(
    ({ name, reason }) => `checkpoint ${name} is damaged, an older one is taken: ${reason}`,
  );
  return { checkpoint: found.checkpoint, codec, notes: [...notes, `going on from ${found.name}`] };
}

export function resumedTotals(checkpoint: TrainingCheckpoint | undefined): RunTotals {
  if (checkpoint === undefined) return { tokens: 0, stepSeconds: 0, seconds: 0 };
  return extraSchema.parse(checkpoint.extra).totals;
}
