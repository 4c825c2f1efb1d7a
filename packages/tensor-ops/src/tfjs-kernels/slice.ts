import { slice_util } from '@tensorflow/tfjs-core';
import type { Replacement } from './replacement.js';

/** The stock kernel reads past the tensor's end instead of refusing. */
export const slice: Replacement = {
  kernelName: 'Slice',
  run: ({ x }, attributes, stock) => {
    const { begin, size } = attributes as { begin: number | number[]; size: number | number[] };
    // Its types say Tensor, but it reads the shape only.
    const parsed = slice_util.parseSliceParams(x as Parameters<typeof slice_util.parseSliceParams>[0], begin, size);
    slice_util.assertParamsValid(x as Parameters<typeof slice_util.assertParamsValid>[0], parsed[0]!, parsed[1]!);
    return stock({ x: x! }, attributes);
  },
};
