import { backend_util, type TensorInfo } from '@tensorflow/tfjs-core';
import { address, heapBytes, makeOutput } from '../wasm/heap.js';
import { reached } from './conv2d-gradients.js';
import type { Replacement } from './replacement.js';

type Info = Parameters<typeof backend_util.computeConv2DInfo>;

interface DepthwiseAttributes {
  strides: Info[2];
  dilations: Info[3];
  pad: Info[4];
  dimRoundingMode?: Info[5];
}

/** dW [h, w, I, multiplier] of y = depthwiseConv2d(x, W). */
export const depthwiseBackpropFilter: Replacement = {
  kernelName: 'DepthwiseConv2dNativeBackpropFilter',
  run: ({ x, dy }, attributes) => {
    const { strides, dilations, pad, dimRoundingMode, filterShape } = attributes as DepthwiseAttributes & {
      filterShape: Info[1];
    };
    const info = backend_util.computeConv2DInfo(
      x!.shape as Info[0],
      filterShape,
      strides,
      dilations,
      pad,
      dimRoundingMode,
      true,
    );
    const dw = makeOutput(filterShape, 'float32');
    const [from, by, to] = [floats(x!), floats(dy!), floats(dw).fill(0)];
    eachTap(info, (input, output, tap) => (to[tap]! += from[input]! * by[output]!));
    return dw;
  },
};

/** dx [B, H, W, I] of y = depthwiseConv2d(x, W). */
export const depthwiseBackpropInput: Replacement = {
  kernelName: 'DepthwiseConv2dNativeBackpropInput',
  run: ({ dy, filter }, attributes) => {
    const { strides, dilations, pad, dimRoundingMode, inputShape } = attributes as DepthwiseAttributes & {
      inputShape: Info[0];
    };
    const info = backend_util.computeConv2DInfo(
      inputShape,
      filter!.shape as Info[1],
      strides,
      dilations,
      pad,
      dimRoundingMode,
      true,
    );
    const dx = makeOutput(inputShape, 'float32');
    const [weight, by, to] = [floats(filter!), floats(dy!), floats(dx).fill(0)];
    eachTap(info, (input, output, tap) => (to[input]! += weight[tap]! * by[output]!));
    return dx;
  },
};

/** Calls `use` with the element numbers of every (input, output, weight) that meet in the forward pass. */
function eachTap(info: backend_util.Conv2DInfo, use: (input: number, output: number, tap: number) => void): void {
  const { inChannels, outChannels, inHeight, inWidth, outHeight, outWidth, filterHeight, filterWidth } = info;
  const multiplier = outChannels / inChannels;
  for (let h = 0; h < filterHeight; h++) {
    const down = h * info.dilationHeight - info.padInfo.top;
    const rows = reached(down, info.strideHeight, inHeight, outHeight);
    for (let w = 0; w < filterWidth; w++) {
      const across = w * info.dilationWidth - info.padInfo.left;
      const columns = reached(across, info.strideWidth, inWidth, outWidth);
      const tap = (h * filterWidth + w) * outChannels;
      for (let batch = 0; batch < info.batchSize; batch++) {
        for (let row = rows.from; row < rows.to; row++) {
          for (let column = columns.from; column < columns.to; column++) {
            const y = ((batch * outHeight + row) * outWidth + column) * outChannels;
            const inputRow = batch * inHeight + row * info.strideHeight + down;
            const x = (inputRow * inWidth + column * info.strideWidth + across) * inChannels;
            for (let c = 0; c < outChannels; c++) use(x + Math.floor(c / multiplier), y + c, tap + c);
          }
        }
      }
    }
  }
}

/** A tensor's elements in place, valid until something allocates. */
function floats(x: TensorInfo): Float32Array {
  return new Float32Array(
    heapBytes().buffer,
    address(x),
    x.shape.reduce((size, n) => size * n, 1),
  );
}
