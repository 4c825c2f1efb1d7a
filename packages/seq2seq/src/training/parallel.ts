import type { Seq2Seq } from '../model.js';
import type { TrainSettings } from './options.js';
import type { Stepper } from './stepper.js';

/** Threads are Node's: elsewhere `#parallel` leads here. */
export async function startParallel(
  _model: Seq2Seq,
  workers: number,
  _optimizer: TrainSettings['optimizer'],
): Promise<Stepper> {
  throw new Error(`train: workers must be 1 outside Node; got ${workers}`);
}
