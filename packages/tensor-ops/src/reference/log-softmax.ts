import { exp, log, max, sub, sum, type Tensor } from '@tensorflow/tfjs-core';

/** `logSoftmax` composed of tfjs ops; shapes as there. */
export function logSoftmaxReference(x: Tensor): Tensor {
  const below = sub(x, max(x, -1, true));
  return sub(below, log(sum(exp(below), -1, true)));
}
