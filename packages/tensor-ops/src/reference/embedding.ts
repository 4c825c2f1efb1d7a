import {
  cast,
  clone,
  customGrad,
  expandDims,
  type GradSaveFunc,
  gather,
  mul,
  notEqual,
  type Tensor,
} from '@tensorflow/tfjs-core';

/** Rows of a table by id, composed of tfjs ops; shapes as in `embedding`. */
export function embeddingReference(weight: Tensor, ids: Tensor, paddingId?: number): Tensor {
  const rows = gather(weight, ids);
  return paddingId === undefined ? rows : withoutGradient(rows, ids, paddingId);
}

/** `rows` as they are; their gradient is zero where the id is `paddingId`. */
function withoutGradient(rows: Tensor, ids: Tensor, paddingId: number): Tensor {
  const identity = customGrad((x, save) => {
    (save as GradSaveFunc)([cast(expandDims(notEqual(ids, paddingId), -1), 'float32')]);
    return { value: clone(x as Tensor), gradFunc: (dy, [kept]) => mul(dy, kept as Tensor) };
  });
  return identity(rows);
}
