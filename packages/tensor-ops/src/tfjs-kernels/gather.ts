import { backend_util, util } from '@tensorflow/tfjs-core';
import { address, heapBytes, makeOutput } from '../wasm/heap.js';
import { kernels } from '../wasm/kernels.js';
import type { Replacement } from './replacement.js';

/** Slices of x by index along an axis, copied whole: the stock kernel goes element by element. */
export const gather: Replacement = {
  kernelName: 'GatherV2',
  run: ({ x, indices }, attributes, stock) => {
    const { axis, batchDims = 0 } = attributes as { axis: number; batchDims?: number };
    if (x!.dtype !== 'float32' && x!.dtype !== 'int32') return stock({ x: x!, indices: indices! }, attributes);
    const along = util.parseAxisParam(axis, x!.shape)[0]!;
    // Its types say Tensor, but it reads shapes only.
    type Shaped = Parameters<typeof backend_util.segment_util.collectGatherOpShapeInfo>[0];
    const info = backend_util.segment_util.collectGatherOpShapeInfo(x as Shaped, indices as Shaped, along, batchDims);
    const { batchSize, outerSize, dimSize, sliceSize, outputShape } = info;
    const count = util.sizeFromShape(indices!.shape);
    for (const index of new Int32Array(heapBytes().buffer, address(indices!), count)) {
      if (index < 0 || index >= dimSize) {
        throw new Error(`GatherV2: the index value ${index} is not in [0, ${dimSize - 1}]`);
      }
    }
    const out = makeOutput(outputShape, x!.dtype);
    const [from, by, to] = [address(x!), address(indices!), address(out)];
    const each = batchSize === 0 ? 0 : count / batchSize;
    const k = kernels();
    for (let i = 0; i < batchSize * outerSize; i++) {
      const ids = by + Math.floor(i / outerSize) * each * 4;
      k.gatherRows(from + i * dimSize * sliceSize * 4, ids, each, sliceSize, to + i * each * sliceSize * 4, sliceSize);
    }
    return out;
  },
};
