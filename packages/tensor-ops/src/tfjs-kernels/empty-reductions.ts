import { backend_util, type DataType, type TensorInfo, util } from '@tensorflow/tfjs-core';
import { makeOutput, wasmBackend } from '../wasm/heap.js';
import type { Replacement } from './replacement.js';

/** What each reduction gives of no elements: as tfjs' cpu backend has it. */
const OF_NOTHING = { All: 0, Any: 0, Max: Number.NaN, Mean: 0, Min: Number.NaN, Prod: 1 };

/** Reductions of tensors without elements: the stock kernels run over nothing and give whatever lay in the heap before. */
export const emptyReductions: Replacement[] = Object.entries(OF_NOTHING).map(([kernelName, value]) => ({
  kernelName,
  run: ({ x }, attributes, stock) => {
    if (util.sizeFromShape(x!.shape) > 0) return stock({ x: x! }, attributes);
    return reducedNothing(x!, attributes, value, kernelName === 'Mean' ? 'float32' : x!.dtype);
  },
}));

/** `value` in every element that a reduction of x, which has none, leaves. */
export function reducedNothing(x: TensorInfo, attributes: unknown, value: number, dtype: DataType): TensorInfo {
  const { axis, reductionIndices, keepDims } = attributes as {
    axis?: number | number[];
    reductionIndices?: number | number[]; // what Max calls them
    keepDims: boolean;
  };
  const axes = util.parseAxisParam((axis ?? reductionIndices)!, x.shape);
  const [kept] = backend_util.computeOutAndReduceShapes(x.shape, axes);
  const out = makeOutput(keepDims ? backend_util.expandShapeToKeepDim(kept, axes) : kept, dtype);
  wasmBackend().typedArrayFromHeap(out).fill(value);
  return out;
}
