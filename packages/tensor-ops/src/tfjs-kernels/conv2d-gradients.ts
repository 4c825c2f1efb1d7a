// Gradients of y = conv2d(x, W), x [B, H, W, I], W [h, w, I, O], y [B, H', W', O]: for each tap of the filter and each row of the
// output a small matrix product, with every stride-th column of a row of x as one of its sides.
import { backend_util, type TensorInfo } from '@tensorflow/tfjs-core';
import { address, makeOutput, withScratch } from '../wasm/heap.js';
import { kernels } from '../wasm/kernels.js';
import { type Conv2DAttributes, TO_CHANNELS_FIRST, TO_CHANNELS_LAST } from './conv2d.js';
import { type Replacement, release, runKernel } from './replacement.js';

type Info = Parameters<typeof backend_util.computeConv2DInfo>;

/** dW: the products of rows of x, transposed, with rows of dy. */
export const conv2dBackpropFilter: Replacement = {
  kernelName: 'Conv2DBackpropFilter',
  run: ({ x, dy }, attributes) => {
    const { filterShape, ...options } = attributes as Conv2DAttributes & { filterShape: Info[1] };
    const info = infoOf(x!.shape, filterShape, options);
    const [input, output] = channelsLast(options, x!, dy!);
    const dw = zeros(filterShape);
    const { inChannels: I, outChannels: O, strideWidth } = info;
    const k = kernels();
    withScratch(k.gemmScratchBytes(I, O, info.outWidth), (scratch) => {
      const [from, by, to] = [address(input), address(output), address(dw)];
      eachRow(info, output, (tap, xAt, yAt, columns) => {
        k.gemm(1, 0, I, O, columns, from + xAt * 4, strideWidth * I, by + yAt * 4, O, to + tap * 4, O, true, scratch);
      });
    });
    if (input !== x) release(input, output);
    return dw;
  },
};

/** dx: the products of rows of dy with W, transposed. */
export const conv2dBackpropInput: Replacement = {
  kernelName: 'Conv2DBackpropInput',
  run: ({ dy, filter }, attributes) => {
    if (dy!.dtype !== 'float32' || filter!.dtype !== 'float32') return ofFloats(dy!, filter!, attributes);
    const { inputShape, ...options } = attributes as Conv2DAttributes & { inputShape: Info[0] };
    const info = infoOf(inputShape, filter!.shape, options);
    const [output] = channelsLast(options, dy!);
    const dx = zeros([info.batchSize, info.inHeight, info.inWidth, info.inChannels]);
    const { inChannels: I, outChannels: O, strideWidth } = info;
    const k = kernels();
    withScratch(k.gemmScratchBytes(info.outWidth, I, O), (scratch) => {
      const [from, by, to] = [address(output), address(filter!), address(dx)];
      eachRow(info, output, (tap, xAt, yAt, columns) => {
        k.gemm(0, 1, columns, I, O, from + yAt * 4, O, by + tap * 4, O, to + xAt * 4, strideWidth * I, true, scratch);
      });
    });
    if (output === dy) return dx;
    const first = runKernel('Transpose', { x: dx }, TO_CHANNELS_FIRST);
    release(output, dx);
    return first;
  },
};

/** dx where something is not of floats, which conv2dTranspose lets through. */
function ofFloats(dy: TensorInfo, filter: TensorInfo, attributes: unknown): TensorInfo {
  const floats = (x: TensorInfo) => runKernel('Cast', { x }, { dtype: 'float32' });
  const inputs = { dy: floats(dy), filter: floats(filter) };
  const dx = runKernel('Conv2DBackpropInput', inputs, attributes);
  release(inputs.dy, inputs.filter);
  return dx;
}

function infoOf(input: number[], filter: number[], { strides, pad, dataFormat, dimRoundingMode }: Conv2DAttributes) {
  const format = backend_util.convertConv2DDataFormat(dataFormat);
  return backend_util.computeConv2DInfo(
    input as Info[0],
    filter as Info[1],
    strides,
    1,
    pad,
    dimRoundingMode,
    false,
    format,
  );
}

function channelsLast<T extends TensorInfo[]>({ dataFormat }: Conv2DAttributes, ...tensors: T): T {
  if (dataFormat !== 'NCHW') return tensors;
  return tensors.map((x) => runKernel('Transpose', { x }, TO_CHANNELS_LAST)) as T;
}

function zeros(shape: number[]): TensorInfo {
  const out = makeOutput(shape, 'float32');
  kernels().zeroFill(
    address(out),
    shape.reduce((size, n) => size * n, 1),
  );
  return out;
}

/** Calls `use` for each tap and row of outputs, with the elements at which the tap's weights, the inputs and the outputs begin. */
function eachRow(
  info: backend_util.Conv2DInfo,
  dy: TensorInfo,
  use: (tap: number, x: number, y: number, columns: number) => void,
): void {
  const { inChannels, outChannels, inHeight, inWidth, outHeight, outWidth, strideHeight, strideWidth, padInfo } = info;
  const [, height, width] = dy.shape as Info[0]; // a transposed convolution may bring others than the geometry's
  for (let h = 0; h < info.filterHeight; h++) {
    const rows = reached(h - padInfo.top, strideHeight, inHeight, Math.min(outHeight, height));
    for (let w = 0; w < info.filterWidth; w++) {
      const columns = reached(w - padInfo.left, strideWidth, inWidth, Math.min(outWidth, width));
      if (columns.from === columns.to) continue;
      const tap = (h * info.filterWidth + w) * inChannels * outChannels;
      for (let batch = 0; batch < info.batchSize; batch++) {
        for (let row = rows.from; row < rows.to; row++) {
          const inputRow = batch * inHeight + row * strideHeight + h - padInfo.top;
          const x = (inputRow * inWidth + columns.from * strideWidth + w - padInfo.left) * inChannels;
          const y = ((batch * height + row) * width + columns.from) * outChannels;
          use(tap, x, y, columns.to - columns.from);
        }
      }
    }
  }
}

/** The outputs i in [0, outputs) whose input i·stride + offset lies in [0, inputs). */
export function reached(offset: number, stride: number, inputs: number, outputs: number): { from: number; to: number } {
  const from = Math.max(0, Math.ceil(-offset / stride));
  return { from, to: Math.max(from, Math.min(outputs, Math.ceil((inputs - offset) / stride))) };
}
