import type { backend_util } from '@tensorflow/tfjs-core';
import { type Replacement, release, runKernel } from './replacement.js';

type Info = Parameters<typeof backend_util.computeConv2DInfo>;

/** What tfjs passes to a convolution's kernels. */
export interface Conv2DAttributes {
  strides: [number, number] | number;
  pad: Info[4];
  dataFormat: 'NHWC' | 'NCHW';
  dimRoundingMode?: 'floor' | 'round' | 'ceil';
}

export const TO_CHANNELS_LAST = { perm: [0, 2, 3, 1] };
export const TO_CHANNELS_FIRST = { perm: [0, 3, 1, 2] };

/** Channels first by way of channels last, which is all that the stock kernel does. */
export const conv2d: Replacement = {
  kernelName: 'Conv2D',
  run: ({ x, filter }, attributes, stock) => {
    const options = attributes as Conv2DAttributes;
    if (options.dataFormat !== 'NCHW') return stock({ x: x!, filter: filter! }, attributes);
    const last = runKernel('Transpose', { x: x! }, TO_CHANNELS_LAST);
    const { pad } = options;
    const turned = Array.isArray(pad) ? [pad[0], pad[2], pad[3], pad[1]] : pad;
    const y = stock({ x: last, filter: filter! }, { ...options, pad: turned, dataFormat: 'NHWC' });
    const out = runKernel('Transpose', { x: y }, TO_CHANNELS_FIRST);
    release(last, y);
    return out;
  },
};
