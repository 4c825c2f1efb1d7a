import { bosId, eosId, padId } from '../vocabulary.js';

/** A source and its translation as ids, without `<bos>` and `<eos>`. */
export interface EncodedPair {
  readonly source: ArrayLike<number>;
  readonly target: ArrayLike<number>;
}

/** Pairs of ids side by side, each side a row-major matrix padded with 0 (`<pad>`). */
export interface Batch {
  readonly rows: number;
  /** [rows, sourceWidth] */
  readonly source: Int32Array;
  readonly sourceWidth: number;
  readonly sourceLengths: Int32Array;
  /** [rows, targetWidth]: `<bos>` y₁ … yₙ `<eos>` */
  readonly target: Int32Array;
  readonly targetWidth: number;
  /** Counts `<bos>` and `<eos>`. */
  readonly targetLengths: Int32Array;
  /** Where each row's pair stands in the data. */
  readonly indices: Int32Array;
}

/** What stands around the pieces of a source row. */
export interface RowOptions {
  /** Begin every source row with `<bos>`; default false. */
  readonly sourceBos?: boolean;
  /** End every source row with `<eos>`; default false. */
  readonly sourceEos?: boolean;
}

/** Length of a pair's source row. */
export function sourceRowLength(pair: EncodedPair, options: RowOptions): number {
  return pair.source.length + (options.sourceBos ? 1 : 0) + (options.sourceEos ? 1 : 0);
}

/** Length of a pair's target row. */
export function targetRowLength(pair: EncodedPair): number {
  return pair.target.length + 2;
}

/** The batch of the pairs at `indices`, one row each, in that order. */
export function makeBatch(pairs: readonly EncodedPair[], indices: ArrayLike<number>, options: RowOptions = {}): Batch {
  const rows = Array.from(indices, (index) => pairs[index] as EncodedPair);
  const source = padRows(
    rows.map((pair) => pair.source),
    options.sourceBos ?? false,
    options.sourceEos ?? false,
  );
  const target = padRows(
    rows.map((pair) => pair.target),
    true,
    true,
  );
  return {
    rows: rows.length,
    source: source.ids,
    sourceWidth: source.width,
    sourceLengths: source.lengths,
    target: target.ids,
    targetWidth: target.width,
    targetLengths: target.lengths,
    indices: Int32Array.from(indices),
  };
}

function padRows(rows: readonly ArrayLike<number>[], bos: boolean, eos: boolean) {
  const before = bos ? 1 : 0;
  const lengths = Int32Array.from(rows, (row) => row.length + before + (eos ? 1 : 0));
  const width = lengths.reduce((longest, length) => Math.max(longest, length), 0);
  const ids = new Int32Array(rows.length * width).fill(padId);
  rows.forEach((row, index) => {
    const start = index * width;
    if (bos) ids[start] = bosId;
    ids.set(row, start + before);
    if (eos) ids[start + before + row.length] = eosId;
  });
  return { ids, width, lengths };
}
