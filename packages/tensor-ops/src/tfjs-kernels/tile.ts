import { type TensorInfo, util } from '@tensorflow/tfjs-core';
import { address, makeOutput } from '../wasm/heap.js';
import { kernels } from '../wasm/kernels.js';
import { type Replacement, release, runKernel } from './replacement.js';

/** Repetition along each axis, also what broadcastTo does: the stock kernel looks every element up (100 times slower). */
export const tile: Replacement = {
  kernelName: 'Tile',
  run: ({ x }, attributes) => {
    const { reps } = attributes as { reps: number[] };
    if (x!.dtype === 'string') throw new Error("tile: tfjs' wasm backend does not repeat strings"); // the stock kernel aborts
    let tiled = runKernel('Identity', { x: x! });
    for (const { before, length, times } of repetitions(x!.shape, reps)) {
      const repeated = repeat(tiled, before, length, times);
      release(tiled);
      tiled = repeated;
    }
    return { ...tiled, shape: x!.shape.map((size, axis) => size * reps[axis]!) };
  },
};

/** Repetitions one after the other, from the last axis on: `before` blocks of `length` elements, each so many times. Neighbouring axes of size 1 go together. */
function repetitions(shape: number[], reps: number[]): { before: number; length: number; times: number }[] {
  const found: { before: number; length: number; times: number }[] = [];
  let after = 1; // elements of the result behind the axis
  for (let axis = shape.length - 1; axis >= 0; axis--) {
    let times = reps[axis]!;
    const length = shape[axis]! * after;
    for (; shape[axis] === 1 && axis > 0 && shape[axis - 1] === 1; axis--) times *= reps[axis - 1]!;
    if (times !== 1) found.push({ before: util.sizeFromShape(shape.slice(0, axis)), length, times });
    after = length * times;
  }
  return found;
}

function repeat(x: TensorInfo, before: number, length: number, times: number): TensorInfo {
  const out = makeOutput([before, length * times], x.dtype);
  kernels().repeatBlocks(address(x), before, length * util.bytesPerElement(x.dtype), times, address(out));
  return out;
}
