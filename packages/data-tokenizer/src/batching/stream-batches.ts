import type { Batch, EncodedPair } from './batch.js';
import { type BatchOptions, BatchPlan, poolSize } from './batches.js';

/**
 * The batches of data that does not fit in memory: pairs are gathered into pools, each pool is shuffled, bucketed and
 * cut as {@link BatchPlan} does with a whole data set, then the next is gathered. The order of the data on disk matters
 * accordingly: what is not shuffled there is shuffled only within a pool. `indices` count from the first pair.
 *
 * @param epoch gives another order to every pass.
 * @throws RangeError for options that `batches` refuses.
 */
export async function* streamBatches(
  pairs: AsyncIterable<EncodedPair>,
  options: BatchOptions,
  epoch = 0,
): AsyncGenerator<Batch, void, undefined> {
  const size = Math.max(1, poolSize(options));
  let pool: EncodedPair[] = [];
  let start = 0;
  for await (const pair of pairs) {
    pool.push(pair);
    if (pool.length < size) continue;
    yield* poolBatches(pool, start, options, epoch);
    start += pool.length;
    pool = [];
  }
  yield* poolBatches(pool, start, options, epoch);
}

function* poolBatches(
  pool: readonly EncodedPair[],
  start: number,
  options: BatchOptions,
  epoch: number,
): Generator<Batch> {
  // Every pool of every epoch has a number of its own to draw its order from.
  const stream = Math.imul(epoch, 0x9e3779b1) + start;
  for (const batch of new BatchPlan(pool, options).epoch(stream)) {
    yield { ...batch, indices: batch.indices.map((index) => index + start) };
  }
}
