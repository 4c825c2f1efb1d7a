// Tensors one after the other along an axis. The stock kernel makes a JavaScript view for every row of every tensor.
import { backend_util, type TensorInfo, util } from '@tensorflow/tfjs-core';
import { address, makeOutput } from '../wasm/heap.js';
import { kernels } from '../wasm/kernels.js';
import type { Replacement } from './replacement.js';

export const concat: Replacement = {
  kernelName: 'Concat',
  run: (inputs, attributes, stock) => {
    const parts = Object.values(inputs) as [TensorInfo, ...TensorInfo[]];
    const [{ dtype, shape }] = parts;
    // strings lie outside the heap; of several types each element has to be converted
    if (dtype === 'string' || parts.some((part) => part.dtype !== dtype)) return stock(inputs, attributes);
    const axis = util.parseAxisParam((attributes as { axis: number }).axis, shape)[0]!;
    const shapes = parts.map((part) => part.shape);
    backend_util.assertParamsConsistent(shapes, axis);
    const whole = makeOutput(backend_util.computeOutShape(shapes, axis), dtype);
    const runOf = ({ shape }: TensorInfo) => util.sizeFromShape(shape.slice(axis)) * util.bytesPerElement(dtype);
    const [outer, step] = [util.sizeFromShape(shape.slice(0, axis)), runOf(whole)];
    let to = address(whole);
    for (const part of parts) {
      const run = runOf(part);
      kernels().copyRuns(address(part), run, outer, run, to, step);
      to += run;
    }
    return whole;
  },
};
