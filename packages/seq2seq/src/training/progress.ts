import type { Metrics } from './events.js';
import type { TrainSettings } from './options.js';

/** Where a run stands: everything that a resumed run must know besides tensors, as plain JSON. */
export interface Progress {
  /** Optimizer steps done. */
  step: number;
  epoch: number;
  /** Batches of the epoch done. */
  batch: number;
  /** The best value of the monitored measure, and how many validations ago it was. */
  best: number | null;
  sinceBest: number;
}

export function freshProgress(): Progress {
  return { step: 0, epoch: 0, batch: 0, best: null, sinceBest: 0 };
}

/**
 * Notes a validation. Returns whether it is the best so far.
 *
 * @throws Error when the monitored measure is not among the metrics
 */
export function noteValidation(
  progress: Progress,
  metrics: Metrics,
  { metric, goal }: TrainSettings['monitor'],
): boolean {
  const value = metrics[metric];
  if (value === undefined) {
    throw new Error(`train: monitor.metric "${metric}" is not among the measures ${Object.keys(metrics).join(', ')}`);
  }
  const better = progress.best === null || (goal === 'min' ? value < progress.best : value > progress.best);
  progress.sinceBest = better ? 0 : progress.sinceBest + 1;
  if (better) progress.best = value;
  return better;
}
