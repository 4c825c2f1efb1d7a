import {
  cast,
  customGrad,
  div,
  equal,
  exp,
  max,
  maximum,
  mul,
  sub,
  sum,
  type Tensor,
  where,
  zerosLike,
} from '@tensorflow/tfjs-core';

/** `softmax` composed of tfjs ops; the mask has x's shape. */
export function softmaxReference(x: Tensor, mask?: Tensor): Tensor {
  const below = sub(x, shiftOf(x, mask));
  const powers = mask ? mul(exp(where(mask, below, 0)), cast(mask, 'float32')) : exp(below);
  return div(powers, maximum(sum(powers, -1, true), 0.5)); // the largest power is 1: below that stands an empty row
}

/** The largest allowed number of each row [..., 1], 0 where there is none; a constant, as the softmax does not depend on it. */
function shiftOf(x: Tensor, mask?: Tensor): Tensor {
  const constant = customGrad((x) => {
    const allowed = mask ? where(mask, x as Tensor, Number.NEGATIVE_INFINITY) : (x as Tensor);
    const largest = max(allowed, -1, true);
    const shift = where(equal(largest, Number.NEGATIVE_INFINITY), 0, largest);
    return { value: shift, gradFunc: () => zerosLike(x as Tensor) };
  });
  return constant(x);
}
