// What a recurrence reads: a vector a step, or rows of a table.
import { type Tensor2D, type Tensor3D, tensor2d } from '@tensorflow/tfjs-core';
import { embedding } from '../embedding.js';

/**
 * Steps that are rows of a table, as the token vectors of a batch are: step t of row b reads table[ids[b·T + t]]. The input's
 * product with a weight is computed once for each row of the table, however often it is read.
 */
export interface TableSequence {
  /** [U, I] */
  readonly table: Tensor2D;
  /** [B, T] row by row, each in [0, U). */
  readonly ids: Int32Array;
  /** [B, T] */
  readonly shape: readonly [number, number];
}

/** [B, T, I], or the same as rows of a table. */
export type SequenceInput = Tensor3D | TableSequence;

export function isTable(x: SequenceInput): x is TableSequence {
  return 'table' in x;
}

/** [B, T, I] */
export function inputShape(x: SequenceInput): [number, number, number] {
  return isTable(x) ? [...x.shape, x.table.shape[1]] : x.shape;
}

/** The vector of every step. */
export function everyStep(x: SequenceInput): Tensor3D {
  if (!isTable(x)) return x;
  return embedding(x.table, tensor2d(x.ids, x.shape as [number, number], 'int32')) as Tensor3D;
}

/** @throws Error naming `op` and what does not fit */
export function checkInput(op: string, x: SequenceInput): void {
  if (!isTable(x)) {
    if (x.rank !== 3) throw new Error(`${op}: x must be [B, T, I]; got shape [${x.shape}]`);
    return;
  }
  const { table, ids, shape } = x;
  const [U] = table.shape;
  if (table.rank !== 2) throw new Error(`${op}: x.table must be [U, I]; got shape [${table.shape}]`);
  if (ids.length !== shape[0] * shape[1]) {
    throw new Error(
      `${op}: x.ids must be ${shape[0]}·${shape[1]} numbers, as x.shape is [${shape}]; got ${ids.length}`,
    );
  }
  const wrong = ids.findIndex((id) => id < 0 || id >= U);
  if (wrong >= 0) throw new Error(`${op}: x.ids must be in [0, ${U}); got ${ids[wrong]} at position ${wrong}`);
}
