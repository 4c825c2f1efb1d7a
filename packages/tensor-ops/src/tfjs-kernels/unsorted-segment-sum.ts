import { util } from '@tensorflow/tfjs-core';
import { address, makeOutput } from '../wasm/heap.js';
import { kernels } from '../wasm/kernels.js';
import { type Replacement, release, runKernel } from './replacement.js';

/** out[s] = Σ x[i] over the i whose segment is s; segments outside [0, numSegments) are dropped. The gradient of gather. */
export const unsortedSegmentSum: Replacement = {
  kernelName: 'UnsortedSegmentSum',
  run: ({ x, segmentIds }, attributes) => {
    const { numSegments } = attributes as { numSegments: number };
    const rows = util.sizeFromShape(segmentIds!.shape);
    const columns = x!.shape.slice(segmentIds!.shape.length);
    const width = util.sizeFromShape(columns);
    const floats = x!.dtype === 'float32' ? x! : runKernel('Cast', { x: x! }, { dtype: 'float32' });
    const out = makeOutput([numSegments, ...columns], 'float32');
    const k = kernels();
    k.zeroFill(address(out), numSegments * width);
    k.segmentSum(address(floats), address(segmentIds!), rows, width, numSegments, address(out));
    if (floats !== x) release(floats);
    return out;
  },
};
