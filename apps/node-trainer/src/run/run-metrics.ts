import path from 'node:path';
import type { ScoreRecord } from '../report/run-report.js';
import { writeFileAtomic } from './write-file.js';

/** Scores of one part: loss a token, percentages for all else, and the signatures of those that have one. */
export type PartMetrics = { readonly loss: number; readonly accuracy: number } & {
  readonly [score: string]: number | Readonly<Record<string, string>>;
};

/** metrics.json of a run; only what was measured is there. */
export interface RunMetrics {
  readonly test?: PartMetrics;
  readonly valid?: PartMetrics;
  /** Seconds of training, validation included. */
  readonly seconds: number;
  /** Target tokens trained on a second, over the time spent in steps. */
  readonly tokensPerSecond: number;
}

export async function writeRunMetrics(folder: string, metrics: RunMetrics): Promise<void> {
  await writeFileAtomic(path.join(folder, 'metrics.json'), `${JSON.stringify(metrics, null, 2)}\n`);
}

export function partMetrics(part: {
  readonly loss: number;
  readonly accuracy: number;
  readonly scores: Readonly<Record<string, ScoreRecord>>;
}): PartMetrics {
  const signatures = Object.entries(part.scores).flatMap(([name, { signature }]) =>
    signature ? [[name, signature]] : [],
  );
  return {
    loss: part.loss,
    accuracy: part.accuracy,
    ...Object.fromEntries(Object.entries(part.scores).map(([name, { score }]) => [name, score])),
    signatures: Object.fromEntries(signatures),
  };
}
