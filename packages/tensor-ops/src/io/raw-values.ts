// Values of float tensors to and from arrays, without a copy in between: for threads that share memory. Arrays may be views of a
// SharedArrayBuffer.
import { add, engine, type Tensor, tensor, tidy } from '@tensorflow/tfjs-core';
import type { Parameter } from '../nn/parameter.js';
import { ownMemory } from '../optim/own-memory.js';
import { address, heapBytes, withScratch } from '../wasm/heap.js';
import { kernels } from '../wasm/kernels.js';
import { copyFloats } from './copy-floats.js';

/** Floats that are copied and added at once: they stay in a core's caches in between. */
const PIECE = 8192;

/** Copies a tensor's values to `into`, as many as it has. @throws Error when the sizes differ */
export function readValues(x: Tensor, into: Float32Array): void {
  check('readValues', x, into);
  if (engine().backendName !== 'wasm') into.set(x.dataSync());
  else copyFloats(floatsAt(address(x), x.size), into);
}

/**
 * A float tensor's values, to be read at once: on wasm they are the heap's own, which holds until something allocates or the tensor
 * is disposed, and whatever is written to them changes the tensor.
 *
 * @throws Error when the tensor is not of floats
 */
export function viewValues(x: Tensor): Float32Array {
  if (x.dtype !== 'float32') throw new Error(`viewValues: x must be of floats; got ${x.dtype} [${x.shape}]`);
  if (engine().backendName !== 'wasm') return x.dataSync<'float32'>() as Float32Array;
  return floatsAt(address(x), x.size);
}

/** Gives a parameter the values of `from`, in place. @throws Error when the sizes differ */
export function writeValues(parameter: Parameter, from: Float32Array): void {
  check('writeValues', parameter, from);
  if (engine().backendName !== 'wasm') {
    tidy(() => parameter.assign(tensor(from.slice(), parameter.shape, 'float32')));
    return;
  }
  ownMemory(parameter);
  copyFloats(from, floatsAt(address(parameter), parameter.size));
}

/**
 * x + `by`, in x's own memory on wasm; elsewhere in a new tensor, and x is disposed.
 *
 * @param x shares its memory with no other tensor
 * @throws Error when the sizes differ
 */
export function addValues<T extends Tensor>(x: T, by: Float32Array): T {
  check('addValues', x, by);
  if (engine().backendName !== 'wasm') {
    const sum = tidy(() => add(x, tensor(by.slice(), x.shape, 'float32')) as T);
    x.dispose();
    return sum;
  }
  withScratch(4 * Math.min(by.length, PIECE), (scratch) => {
    for (let first = 0; first < by.length; first += PIECE) {
      const piece = by.subarray(first, first + PIECE);
      copyFloats(piece, floatsAt(scratch, piece.length));
      kernels().scaleAdd(scratch, address(x) + 4 * first, piece.length, 1, 1);
    }
  });
  return x;
}

/** The heap's floats from an address on, until something allocates. */
function floatsAt(start: number, length: number): Float32Array {
  return new Float32Array(heapBytes().buffer, start, length);
}

function check(caller: string, x: Tensor, values: Float32Array): void {
  if (x.dtype !== 'float32' || x.size !== values.length) {
    throw new Error(`${caller}: a float32 tensor of ${values.length} values is needed; got ${x.dtype} [${x.shape}]`);
  }
}
