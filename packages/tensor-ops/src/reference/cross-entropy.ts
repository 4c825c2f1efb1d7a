import {
  add,
  cast,
  equal,
  expandDims,
  logSoftmax,
  mean,
  mul,
  neg,
  notEqual,
  range,
  type Scalar,
  sum,
  type Tensor,
  tidy,
} from '@tensorflow/tfjs-core';

/** `crossEntropy` composed of tfjs ops; shapes as there. */
export function crossEntropyReference(
  logits: Tensor,
  targets: Tensor,
  { ignoreId, smoothing, scale }: { ignoreId: number; smoothing: number; scale: number },
): Scalar {
  return tidy(() => {
    const logProbabilities = logSoftmax(logits); // [N, V]
    const classes = range(0, logits.shape[1] as number, 1, 'int32');
    const isTarget = cast(equal(expandDims(targets, 1), classes), 'float32'); // [N, V]
    const chosen = sum(mul(logProbabilities, isTarget), 1); // [N]
    const rows = neg(add(mul(chosen, 1 - smoothing), mul(mean(logProbabilities, 1), smoothing)));
    return mul(sum(mul(rows, cast(notEqual(targets, ignoreId), 'float32'))), scale) as Scalar;
  });
}
