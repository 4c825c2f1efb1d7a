// Taking a tensor apart along an axis. The stock kernels copy the whole tensor out of the heap for every part.
import { backend_util, type TensorInfo, util } from '@tensorflow/tfjs-core';
import { address, makeOutput } from '../wasm/heap.js';
import { kernels } from '../wasm/kernels.js';
import type { Replacement } from './replacement.js';

/** Every slice of size 1 along an axis, without that axis. */
export const unpack: Replacement = {
  kernelName: 'Unpack',
  run: ({ value }, attributes, stock) => {
    if (value!.dtype === 'string') return stock({ value: value! }, attributes); // strings lie outside the heap
    const axis = util.parseAxisParam((attributes as { axis: number }).axis, value!.shape)[0]!;
    const shape = value!.shape.filter((_, i) => i !== axis);
    return parts(value!, axis, new Array(value!.shape[axis]!).fill(1)).map((part) => ({ ...part, shape }));
  },
};

/** Parts of given sizes along an axis. The gradient of concat. */
export const splitV: Replacement = {
  kernelName: 'SplitV',
  run: ({ x }, attributes, stock) => {
    if (x!.dtype === 'string') return stock({ x: x! }, attributes);
    const { numOrSizeSplits, axis } = attributes as { numOrSizeSplits: number | number[]; axis: number };
    const along = util.parseAxisParam(axis, x!.shape)[0]!;
    // Its types say Tensor, but it reads the shape only.
    const sizes = backend_util.prepareSplitSize(
      x as Parameters<typeof backend_util.prepareSplitSize>[0],
      numOrSizeSplits,
      along,
    );
    return parts(x!, along, sizes);
  },
};

/** Consecutive parts of x along `axis`: for every place before the axis, one run of bytes a part. */
function parts(x: TensorInfo, axis: number, sizes: number[]): TensorInfo[] {
  const outer = util.sizeFromShape(x.shape.slice(0, axis));
  const inner = util.sizeFromShape(x.shape.slice(axis + 1)) * util.bytesPerElement(x.dtype);
  const step = x.shape[axis]! * inner;
  let first = 0;
  return sizes.map((size) => {
    const part = makeOutput([...x.shape.slice(0, axis), size, ...x.shape.slice(axis + 1)], x.dtype);
    const run = size * inner;
    kernels().copyRuns(address(x) + first * inner, step, outer, run, address(part), run);
    first += size;
    return part;
  });
}
