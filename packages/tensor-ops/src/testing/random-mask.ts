import { type Tensor, tensor } from '@tensorflow/tfjs-core';
import { Random } from '../random.js';

/** A bool tensor in which each element is true with probability `share`; its rows (last axis) may come out all false. */
export function randomMask(shape: number[], seed: number, share = 0.6): Tensor {
  const random = new Random(seed);
  const size = shape.reduce((product, n) => product * n, 1);
  return tensor(
    Uint8Array.from({ length: size }, () => (random.uniform() < share ? 1 : 0)),
    shape,
    'bool',
  );
}
