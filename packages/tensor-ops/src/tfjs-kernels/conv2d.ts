import { backend_util, type TensorInfo } from '@tensorflow/tfjs-core';
import { address, makeOutput, withScratch } from '../wasm/heap.js';
import { kernels } from '../wasm/kernels.js';
import { type Replacement, release, runKernel } from './replacement.js';

type Info = Parameters<typeof backend_util.computeConv2DInfo>;

interface Conv2DAttributes {
  strides: [number, number] | number;
  pad: Info[4];
  dataFormat: 'NHWC' | 'NCHW';
  dilations?: [number, number] | number;
  dimRoundingMode?: 'floor' | 'round' | 'ceil';
}

const TO_LAST = { perm: [0, 2, 3, 1] };
const TO_FIRST = { perm: [0, 3, 1, 2] };

/** Channels first by way of channels last, which is all that the stock kernel does. */
export const conv2d: Replacement = {
  kernelName: 'Conv2D',
  run: ({ x, filter }, attributes, stock) => {
    const options = attributes as Conv2DAttributes;
    if (options.dataFormat !== 'NCHW') return stock({ x: x!, filter: filter! }, attributes);
    const last = runKernel('Transpose', { x: x! }, TO_LAST);
    const { pad } = options;
    const turned = Array.isArray(pad) ? [pad[0], pad[2], pad[3], pad[1]] : pad;
    const y = stock({ x: last, filter: filter! }, { ...options, pad: turned, dataFormat: 'NHWC' });
    const out = runKernel('Transpose', { x: y }, TO_FIRST);
    release(last, y);
    return out;
  },
};

/**
 * dW [h, w, I, O] of y = conv2d(x, W), x [B, H, W, I], dy [B, H', W', O]: for each position of the filter and each output row, the
 * product of a strided row of x, transposed, with that row of dy.
 */
export const conv2dBackpropFilter: Replacement = {
  kernelName: 'Conv2DBackpropFilter',
  run: ({ x, dy }, attributes) => {
    const { strides, pad, dataFormat, dimRoundingMode, filterShape } = attributes as Conv2DAttributes & {
      filterShape: [number, number, number, number];
    };
    const format = backend_util.convertConv2DDataFormat(dataFormat);
    const info = backend_util.computeConv2DInfo(
      x!.shape as Info[0],
      filterShape,
      strides,
      1,
      pad,
      dimRoundingMode,
      false,
      format,
    );
    const first = format === 'channelsFirst';
    const [input, output] = first
      ? [runKernel('Transpose', { x: x! }, TO_LAST), runKernel('Transpose', { x: dy! }, TO_LAST)]
      : [x!, dy!];
    const dw = makeOutput(filterShape, 'float32');
    addFilterGradients(input, output, dw, info);
    if (first) release(input, output);
    return dw;
  },
};

function addFilterGradients(x: TensorInfo, dy: TensorInfo, dw: TensorInfo, info: backend_util.Conv2DInfo): void {
  const { inChannels: I, outChannels: O, inWidth, inHeight, outWidth, outHeight, filterHeight, filterWidth } = info;
  const k = kernels();
  k.zeroFill(address(dw), filterHeight * filterWidth * I * O);
  withScratch(k.gemmScratchBytes(I, O, outWidth), (scratch) => {
    for (let h = 0; h < filterHeight; h++) {
      const rows = reached(h - info.padInfo.top, info.strideHeight, inHeight, outHeight);
      for (let w = 0; w < filterWidth; w++) {
        const columns = reached(w - info.padInfo.left, info.strideWidth, inWidth, outWidth);
        const out = address(dw) + (h * filterWidth + w) * I * O * 4;
        for (let batch = 0; batch < info.batchSize; batch++) {
          for (let row = rows.from; row < rows.to; row++) {
            const inputRow = batch * inHeight + row * info.strideHeight + h - info.padInfo.top;
            const inputColumn = columns.from * info.strideWidth + w - info.padInfo.left;
            const a = address(x) + (inputRow * inWidth + inputColumn) * I * 4;
            const b = address(dy) + ((batch * outHeight + row) * outWidth + columns.from) * O * 4;
            k.gemm(1, 0, I, O, columns.to - columns.from, a, info.strideWidth * I, b, O, out, O, true, scratch);
          }
        }
      }
    }
  });
}

/** The outputs i in [0, outputs) whose input i·stride + offset lies in [0, inputs). */
export function reached(offset: number, stride: number, inputs: number, outputs: number): { from: number; to: number } {
  const from = Math.max(0, Math.ceil(-offset / stride));
  return { from, to: Math.max(from, Math.min(outputs, Math.ceil((inputs - offset) / stride))) };
}
