import { mul, type Tensor, tensor } from '@tensorflow/tfjs-core';
import type { DropoutKey } from '../nn/dropout-key.js';
import { dropoutMask } from '../ops/dropout-mask.js';

/** `dropout` composed of tfjs ops, with the very same mask; shapes as there. */
export function dropoutReference(x: Tensor, rate: number, key: DropoutKey, stream: number): Tensor {
  const [rows = 0, ...rest] = x.shape;
  const width = rest.reduce((product, size) => product * size, 1);
  return mul(x, tensor(dropoutMask(rows, width, rate, key, stream), x.shape, 'float32'));
}
