// Batches epoch by epoch, from whatever the caller has.
import type { Batch } from '../batch.js';

/**
 * Batches of one epoch, or a function of the epoch (from 0). What can be iterated again is, every epoch; a generator is one
 * epoch. Resuming needs the same batches in the same order.
 */
export type BatchSource =
  | Iterable<Batch>
  | AsyncIterable<Batch>
  | ((epoch: number) => Iterable<Batch> | AsyncIterable<Batch>);

/** Groups of `size` batches of an epoch, the last one maybe smaller; the first `skipped` batches are left out. */
export async function* batchGroups(
  source: BatchSource,
  epoch: number,
  size: number,
  skipped: number,
): AsyncGenerator<Batch[]> {
  const batches = typeof source === 'function' ? source(epoch) : source;
  let group: Batch[] = [];
  let index = 0;
  for await (const batch of batches) {
    if (index++ < skipped) continue;
    group.push(batch);
    if (group.length < size) continue;
    yield group;
    group = [];
  }
  if (group.length > 0) yield group;
}
