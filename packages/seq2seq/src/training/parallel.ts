import type { Seq2Seq } from '../model.js';
import type { GradientSource } from './gradient-source.js';

/** Threads are Node's: elsewhere `#parallel` leads here. */
export async function startParallel(_model: Seq2Seq, workers: number): Promise<GradientSource> {
  throw new Error(`train: workers must be 1 outside Node; got ${workers}`);
}
