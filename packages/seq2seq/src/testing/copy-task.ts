// A toy corpus for tests: the target repeats the source.
import { Random } from '@seqloom/tensor-ops';
import type { Batch } from '../batch.js';

export interface CopyTask {
  /** Ids from 4 up to this many symbols. */
  symbols: number;
  shortest: number;
  longest: number;
  seed: number;
}

/** Sequences of symbols, drawn from the seed. */
export function sequences(count: number, { symbols, shortest, longest, seed }: CopyTask): number[][] {
  const random = new Random(seed);
  return Array.from({ length: count }, () =>
    Array.from({ length: shortest + random.integer(longest - shortest + 1) }, () => 4 + random.integer(symbols)),
  );
}

/** Rows of source and target, padded to the longest or to given widths. */
export function batchOf(pairs: [number[], number[]][], widths: { source?: number; target?: number } = {}): Batch {
  const rows = pairs.length;
  const sourceWidth = widths.source ?? Math.max(...pairs.map(([source]) => source.length));
  const targetWidth = widths.target ?? Math.max(...pairs.map(([, target]) => target.length + 2));
  const source = new Int32Array(rows * sourceWidth);
  const target = new Int32Array(rows * targetWidth);
  for (const [row, [from, to]] of pairs.entries()) {
    source.set(from, row * sourceWidth);
    target.set([2, ...to, 3], row * targetWidth);
  }
  return {
    rows,
    source,
    sourceWidth,
    sourceLengths: Int32Array.from(pairs, ([from]) => from.length),
    target,
    targetWidth,
    targetLengths: Int32Array.from(pairs, ([, to]) => to.length + 2),
  };
}

/** Batches of copies of random sequences. */
export function copyBatches(count: number, rows: number, task: CopyTask): Batch[] {
  return Array.from({ length: count }, (_, i) =>
    batchOf(sequences(rows, { ...task, seed: task.seed + i }).map((ids) => [ids, ids])),
  );
}
