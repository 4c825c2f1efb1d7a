import { tensor, tidy, type Variable, variable } from '@tensorflow/tfjs-core';
import { requireBackend } from '../ops/run-op.js';
import { Random } from '../random.js';

/** A trainable tensor: tfjs' own variable, so any tfjs program can use and train it. */
export type Parameter = Variable;

/** A parameter of `shape` that holds `values`. @throws Error when their count does not fit the shape or no backend runs. */
export function parameter(values: Float32Array, shape: number[]): Parameter {
  requireBackend('parameter');
  return tidy(() => variable(tensor(values, shape, 'float32')));
}

/** A parameter drawn from U(-bound, bound), as PyTorch initialises linear and recurrent layers. */
export function uniformParameter(shape: number[], bound: number, seed: number): Parameter {
  const random = new Random(seed);
  return parameter(
    filled(shape, () => random.uniform(-bound, bound)),
    shape,
  );
}

/** A parameter drawn from N(0, deviation²), as PyTorch initialises embeddings. */
export function normalParameter(shape: number[], deviation: number, seed: number): Parameter {
  const random = new Random(seed);
  return parameter(
    filled(shape, () => deviation * random.normal()),
    shape,
  );
}

/** A parameter whose elements all are `value`. */
export function constantParameter(shape: number[], value: number): Parameter {
  return parameter(
    filled(shape, () => value),
    shape,
  );
}

function filled(shape: number[], next: () => number): Float32Array {
  const size = shape.reduce((product, n) => product * n, 1);
  return Float32Array.from({ length: size }, next);
}
