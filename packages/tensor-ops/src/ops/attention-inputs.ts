// What the attention ops have in common: their sizes, checked, and what they return.
import type { Tensor, TensorInfo } from '@tensorflow/tfjs-core';
import { address } from '../wasm/heap.js';
import { checkFloats } from './run-op.js';

/** What attention gives: the rank follows the query's. */
export type Attended<Q extends Tensor> = {
  /** [B,T,M], or [B,M] for a query [B,A]: the values' mean under the weights. */
  context: Q extends Tensor<infer R> ? Tensor<R> : Tensor;
  /** [B,T,S], or [B,S] for a query [B,A]. Each row sums to one, or is all zero where nothing may be attended. */
  weights: Q extends Tensor<infer R> ? Tensor<R> : Tensor;
};

/** Sizes: B batch, T queries, S keys, A width of a query, M width of a value. A query of rank 2 is T = 1. */
export interface AttentionSizes {
  B: number;
  T: number;
  S: number;
  A: number;
  M: number;
}

/** The sizes of attention's operands, which need not have been checked. */
export function attentionSizes(query: TensorInfo, keys: TensorInfo, values: TensorInfo): AttentionSizes {
  const one = query.shape.length === 2;
  return {
    B: query.shape[0] as number,
    T: one ? 1 : (query.shape[1] as number),
    S: keys.shape[1] as number,
    A: query.shape[one ? 1 : 2] as number,
    M: values.shape[2] as number,
  };
}

/** Checks attention's operands and gives their sizes. @throws Error that names `op`, the rule and what came */
export function checkedSizes(
  op: string,
  query: Tensor,
  keys: Tensor,
  values: Tensor,
  mask: Tensor | undefined,
): AttentionSizes {
  checkFloats(op, { query, keys, values });
  if (query.rank !== 2 && query.rank !== 3) {
    throw new Error(`${op}: query must be [B,A] or [B,T,A]; got [${query.shape}]`);
  }
  if (keys.rank !== 3) throw new Error(`${op}: keys must be [B,S,A]; got [${keys.shape}]`);
  if (values.rank !== 3) throw new Error(`${op}: values must be [B,S,M]; got [${values.shape}]`);
  const sizes = attentionSizes(query, keys, values);
  const { B, S, A } = sizes;
  if (keys.shape[0] !== B || keys.shape[2] !== A) {
    throw new Error(`${op}: keys must be [${B},S,${A}], as query is [${query.shape}]; got [${keys.shape}]`);
  }
  if (values.shape[0] !== B || values.shape[1] !== S) {
    throw new Error(`${op}: values must be [${B},${S},M], as keys are [${keys.shape}]; got [${values.shape}]`);
  }
  if (mask) checkMask(op, mask, sizes);
  return sizes;
}

/** A mask is [B,S] or [B,T,S]; B and T may be 1 and then serve all. */
function checkMask(op: string, mask: Tensor, { B, T, S }: AttentionSizes): void {
  const { shape, rank, dtype } = mask;
  const fits = (size: number | undefined, full: number) => size === full || size === 1;
  const right = (rank === 2 || (rank === 3 && fits(shape[1], T))) && fits(shape[0], B) && shape[rank - 1] === S;
  if (!right) throw new Error(`${op}: mask must be [${B},${S}] or [${B},${T},${S}]; got [${shape}]`);
  if (dtype !== 'bool') throw new Error(`${op}: mask must be bool, true = attend; got ${dtype}`);
}

/** Address of a mask and the bytes from one batch row, and from one query, to the next: 0 where one serves all. */
export function maskLayout(mask: TensorInfo | undefined): [pointer: number, batch: number, row: number] {
  if (!mask) return [0, 0, 0];
  const { shape } = mask;
  const S = shape[shape.length - 1] as number;
  const rows = shape.length === 3 ? (shape[1] as number) : 1;
  return [address(mask), shape[0] === 1 ? 0 : rows * S, rows === 1 ? 0 : S];
}
