// Pairs of ids side by side. The same shape as data-tokenizer's batches, so those can be passed as they are.

/** B source rows and B target rows, padded on the right. */
export interface Batch {
  readonly rows: number;
  /** [rows, sourceWidth] */
  readonly source: Int32Array;
  readonly sourceWidth: number;
  readonly sourceLengths: Int32Array;
  /** [rows, targetWidth]: `<bos>` y₁ … yₙ `<eos>`, then padding */
  readonly target: Int32Array;
  readonly targetWidth: number;
  /** Counts `<bos>` and `<eos>`. */
  readonly targetLengths: Int32Array;
  /** Where each row's pair stands in the data. */
  readonly indices?: Int32Array;
}

/** Source rows alone, as decoding needs them. The width is at least 1, so that an empty sentence has a (masked) place. */
export interface Sources {
  readonly rows: number;
  readonly ids: Int32Array;
  readonly width: number;
  readonly lengths: Int32Array;
}

/** Sentences as padded rows. */
export function padSources(sentences: readonly ArrayLike<number>[], padId: number): Sources {
  const lengths = Int32Array.from(sentences, (sentence) => sentence.length);
  const width = Math.max(1, ...lengths);
  const ids = new Int32Array(sentences.length * width).fill(padId);
  for (const [row, sentence] of sentences.entries()) ids.set(sentence, row * width);
  return { rows: sentences.length, ids, width, lengths };
}

/** A batch's source side. */
export function sourcesOf(batch: Batch, padId: number): Sources {
  const width = Math.max(1, batch.sourceWidth);
  const ids = columns(batch.source, batch.rows, batch.sourceWidth, 0, width, padId);
  return { rows: batch.rows, ids, width, lengths: batch.sourceLengths };
}

/** What the decoder reads and what it should say next, column by column; T is the target width less one. */
export interface Targets {
  /** [B, T]: `<bos>` y₁ … yₙ */
  readonly inputs: Int32Array;
  /** [B, T]: y₁ … yₙ `<eos>` */
  readonly outputs: Int32Array;
  readonly width: number;
  /** Real columns a row. */
  readonly lengths: Int32Array;
}

export function targetsOf(batch: Batch, padId: number): Targets {
  const lengths = batch.targetLengths.map((length) => Math.max(0, length - 1));
  const width = Math.max(1, batch.targetWidth - 1);
  return {
    inputs: columns(batch.target, batch.rows, batch.targetWidth, 0, width, padId),
    outputs: columns(batch.target, batch.rows, batch.targetWidth, 1, width, padId),
    width,
    lengths,
  };
}

/** Target tokens that are predicted: `<eos>` counts, `<bos>` does not. */
export function targetTokens(batch: Batch): number {
  return batch.targetLengths.reduce((sum, length) => sum + Math.max(0, length - 1), 0);
}

/**
 * The batch without the columns that are padding in every row. Done before its rows are shared out, so that every part has the
 * whole batch's widths, on which the dropout of attention weights depends.
 */
export function trimmed(batch: Batch, padId: number): Batch {
  const sourceWidth = Math.max(0, ...batch.sourceLengths);
  const targetWidth = Math.max(0, ...batch.targetLengths);
  return {
    ...batch,
    source: columns(batch.source, batch.rows, batch.sourceWidth, 0, sourceWidth, padId),
    sourceWidth,
    target: columns(batch.target, batch.rows, batch.targetWidth, 0, targetWidth, padId),
    targetWidth,
  };
}

/** Rows `from` to `to` (exclusive) of a batch, at its widths. */
export function sliceRows(batch: Batch, from: number, to: number): Batch {
  return {
    rows: to - from,
    source: batch.source.slice(from * batch.sourceWidth, to * batch.sourceWidth),
    sourceWidth: batch.sourceWidth,
    sourceLengths: batch.sourceLengths.slice(from, to),
    target: batch.target.slice(from * batch.targetWidth, to * batch.targetWidth),
    targetWidth: batch.targetWidth,
    targetLengths: batch.targetLengths.slice(from, to),
    ...(batch.indices && { indices: batch.indices.slice(from, to) }),
  };
}

/** @throws Error naming the first row whose length or id does not fit */
export function checkBatch(batch: Batch, sourceVocabulary: number, targetVocabulary: number): void {
  checkSide('source', batch.rows, batch.source, batch.sourceWidth, batch.sourceLengths, sourceVocabulary);
  checkSide('target', batch.rows, batch.target, batch.targetWidth, batch.targetLengths, targetVocabulary);
}

/** @throws Error naming the first row whose length or id does not fit */
export function checkSide(
  side: string,
  rows: number,
  ids: Int32Array,
  width: number,
  lengths: Int32Array,
  vocabulary: number,
): void {
  if (ids.length !== rows * width || lengths.length !== rows) {
    throw new Error(
      `batch: ${rows} rows of width ${width} need ${rows * width} ${side} ids and ${rows} lengths; got ${ids.length} and ${lengths.length}`,
    );
  }
  for (let row = 0; row < rows; row++) {
    const length = lengths[row]!;
    if (length < 0 || length > width) {
      throw new Error(`batch: ${side} length must be in [0, ${width}]; got ${length} in row ${row}`);
    }
    for (let at = row * width; at < row * width + length; at++) {
      const id = ids[at]!;
      if (id < 0 || id >= vocabulary) {
        throw new Error(`batch: ${side} ids must be in [0, ${vocabulary}); got ${id} in row ${row}`);
      }
    }
  }
}

function columns(ids: Int32Array, rows: number, width: number, from: number, count: number, padId: number): Int32Array {
  if (from === 0 && count === width) return ids;
  const out = new Int32Array(rows * count).fill(padId);
  const taken = Math.min(count, width - from);
  for (let row = 0; row < rows; row++) {
    out.set(ids.subarray(row * width + from, row * width + from + taken), row * count);
  }
  return out;
}
