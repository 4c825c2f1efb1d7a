// What a recurrence reads: a vector a step, or rows of a table.
import { reshape, type Tensor, type Tensor2D, type Tensor3D, tensor2d } from '@tensorflow/tfjs-core';
import { embedding } from '../embedding.js';

/**
 * Steps that are rows of a table, as the token vectors of a batch are: step t of row b reads table[ids[b·T + t]]. The input's
 * product with a weight is computed once for a row of the table, however often it is read.
 */
export interface TableSequence {
  /** [V, I] */
  readonly table: Tensor2D;
  /** [B, T] row by row, each in [0, V). */
  readonly ids: Int32Array;
  /** [B, T] */
  readonly shape: readonly [number, number];
  /** The row of this id gets no gradient. */
  readonly paddingId?: number | undefined;
}

/** [B, T, I], or [B, I] for one step; or the same as rows of a table. */
export type SequenceInput = Tensor3D | Tensor2D | TableSequence;

/** [B, T, H], or [B, H] for one step [B, I]. */
export type SequenceOutput<X extends SequenceInput> = X extends Tensor<infer R> ? Tensor<R> : Tensor3D;

/** A state [B, H], or [1, B, H] as PyTorch's layers have it. */
export type SequenceState = Tensor2D | Tensor3D;

export function isTable(x: SequenceInput): x is TableSequence {
  return 'table' in x;
}

/** [B, T, I] */
export function inputShape(x: SequenceInput): [number, number, number] {
  if (isTable(x)) return [...x.shape, x.table.shape[1]];
  return x.rank === 2 ? [x.shape[0], 1, x.shape[1]!] : (x as Tensor3D).shape;
}

/** The vector of every step. */
export function everyStep(x: SequenceInput): Tensor3D {
  if (!isTable(x)) return x.rank === 2 ? reshape(x, inputShape(x)) : (x as Tensor3D);
  const { table, ids, shape, paddingId } = x;
  return embedding(table, tensor2d(ids, shape as [number, number], 'int32'), { paddingId }) as Tensor3D;
}

/** @throws Error naming `op` and what does not fit */
export function checkInput(op: string, x: SequenceInput): void {
  if (!isTable(x)) {
    if (x.rank !== 3 && x.rank !== 2) {
      throw new Error(`${op}: x must be [B, T, I] or [B, I]; got shape [${(x as Tensor).shape}]`);
    }
    return;
  }
  const { table, ids, shape } = x;
  const [V] = table.shape;
  if (table.rank !== 2) throw new Error(`${op}: x.table must be [V, I]; got shape [${table.shape}]`);
  if (ids.length !== shape[0] * shape[1]) {
    throw new Error(
      `${op}: x.ids must be ${shape[0]}·${shape[1]} numbers, as x.shape is [${shape}]; got ${ids.length}`,
    );
  }
  const wrong = ids.findIndex((id) => id < 0 || id >= V);
  if (wrong >= 0) throw new Error(`${op}: x.ids must be in [0, ${V}); got ${ids[wrong]} at position ${wrong}`);
}
