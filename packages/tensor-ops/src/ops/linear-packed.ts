// y = x Wᵀ + b for decoding, where rows are few and the same weight is used at every step: it is laid out for the kernels once,
// as floats or as 8-bit integers. Not differentiable. Letters: M rows, I inputs, O outputs.
import { engine, keep, type Tensor, tensor, tidy } from '@tensorflow/tfjs-core';
import { dequantizeRows, type QuantizedRows, quantizeRows } from '../io/quantize-rows.js';
import { linearReference } from '../reference/linear.js';
import { logSoftmaxReference } from '../reference/log-softmax.js';
import { refineLargestReference } from '../reference/refine-largest.js';
import { address, heapBytes, makeOutput, withScratch } from '../wasm/heap.js';
import { kernels } from '../wasm/kernels.js';
import { rowsOf } from './rows-of.js';
import { checkFloats, requireBackend } from './run-op.js';

export type Precision = 'float32' | 'int8';

export interface PackOptions {
  /**
   * 'int8' rounds each row to 8-bit integers: a quarter of the memory, 1.6 to 3 times as fast for few rows, and about half a percent
   * of error relative to the output's size. 'float32' where left out.
   */
  precision?: Precision;
  /**
   * In 8 bits: so many of the largest elements of each row of y are computed again in floats, which leaves the ranking of likely
   * tokens as floats give it, for the cost of a few rows of the weight. That is read where it lies and has to stay. 0 where left out.
   */
  refined?: number;
}

/** A weight [outputs, inputs] laid out for `linearPacked`. It holds memory of its own until disposed. */
export interface PackedWeight {
  readonly outputs: number;
  readonly inputs: number;
  readonly precision: Precision;
  /** What is computed again in floats: `count` elements of each row, with this weight. */
  readonly refined: { readonly count: number; readonly weight: Tensor } | null;
  /** The backend it was packed on, and what it holds there. */
  readonly backend: string;
  readonly tensors: readonly Tensor[];
  dispose(): void;
}

/**
 * Lays a weight out once for many products with few rows. Later changes of the weight do not reach it, but for what is `refined`.
 *
 * @param weight [O, I]
 * @returns the packed weight; dispose it
 * @throws Error when the weight is not a matrix of floats, `refined` not a whole number, or no backend runs
 */
export function packLinear(weight: Tensor, { precision = 'float32', refined = 0 }: PackOptions = {}): PackedWeight {
  if (weight.rank !== 2) throw new Error(`packLinear: weight must be [O, I]; got shape [${weight.shape}]`);
  checkFloats('packLinear', { weight });
  if (!Number.isInteger(refined) || refined < 0) {
    throw new Error(`packLinear: refined must be a whole number from 0 on; got ${refined}`);
  }
  const backend = requireBackend('packLinear');
  const [outputs, inputs] = weight.shape as [number, number];
  const layOut = (backend === 'wasm' ? ON_WASM : ELSEWHERE)[precision];
  const tensors = layOut(weight).map((part) => keep(part));
  const again = precision === 'int8' && refined > 0 ? { count: refined, weight } : null;
  const dispose = () => {
    for (const part of tensors) part.dispose();
  };
  return { outputs, inputs, precision, refined: again, backend, tensors, dispose };
}

/**
 * y = x Wᵀ + b with a packed weight. For inference: it has no gradient.
 *
 * @param x [..., I]
 * @param weight from `packLinear`
 * @param bias [O], or none
 * @param options logSoftmax: whether the log of the softmax of y is returned; false where left out
 * @returns [..., O]
 * @throws Error when x is not of floats, sizes do not fit, tfjs is recording a gradient, or the weight is disposed or was packed on
 *   another backend
 */
export function linearPacked(
  x: Tensor,
  weight: PackedWeight,
  bias?: Tensor,
  { logSoftmax = false }: { logSoftmax?: boolean } = {},
): Tensor {
  check(x, weight, bias);
  const { outputs: O, inputs: I, precision, refined, backend, tensors } = weight;
  const [packed, scales] = tensors as [Tensor, Tensor?];
  if (backend !== 'wasm') return tidy(() => composed(x, packed, refined, bias, logSoftmax));
  const info = makeOutput([...x.shape.slice(0, -1), O], 'float32');
  const [M, k] = [rowsOf(x), kernels()];
  const productBytes = precision === 'int8' ? k.int8ScratchBytes(M, I) : k.gemmPackedScratchBytes(M, I);
  withScratch(Math.max(productBytes, refined ? k.refineScratchBytes(refined.count) : 0), (scratch) => {
    const [from, start, y] = [address(x), bias ? address(bias) : 0, address(info)];
    if (precision === 'int8') k.int8Linear(from, M, I, address(packed), address(scales!), start, y, O, scratch);
    else k.gemmPackedBias(0, M, O, I, from, I, address(packed), y, O, start, 0, scratch);
    if (refined) k.refineLargest(from, M, I, address(refined.weight), start, y, O, refined.count, scratch);
    if (logSoftmax) k.logSoftmaxRows(y, y, M, O);
  });
  return engine().makeTensorFromTensorInfo(info);
}

function composed(
  x: Tensor,
  weight: Tensor,
  refined: PackedWeight['refined'],
  bias: Tensor | undefined,
  logSoftmax: boolean,
): Tensor {
  const product = linearReference(x, weight, bias);
  const y = refined ? refineLargestReference(product, x, refined.weight, bias, refined.count) : product;
  return logSoftmax ? logSoftmaxReference(y) : y;
}

type Layouts = Record<Precision, (weight: Tensor) => Tensor[]>;

const ON_WASM: Layouts = {
  float32: (weight) => {
    const [O, I] = weight.shape as [number, number];
    const packed = makeOutput([kernels().packedBytes(I, O) / 4], 'float32');
    kernels().packB(1, address(weight), I, I, O, address(packed));
    return [engine().makeTensorFromTensorInfo(packed)];
  },
  int8: (weight) => {
    const { rows: O, columns: I, values, scales } = quantized(weight);
    const packed = makeOutput([kernels().int8PackedBytes(O, I) / 4], 'int32'); // only its bytes matter
    withScratch(values.length, (scratch) => {
      heapBytes().set(new Uint8Array(values.buffer), scratch);
      kernels().int8Pack(scratch, O, I, address(packed));
    });
    const padded = new Float32Array((O + 3) & ~3);
    padded.set(scales);
    return [engine().makeTensorFromTensorInfo(packed), tensor(padded)];
  },
};

const ELSEWHERE: Layouts = {
  float32: (weight) => [tensor(weight.dataSync().slice(), weight.shape, 'float32')],
  int8: (weight) => [tensor(dequantizeRows(quantized(weight)), weight.shape, 'float32')],
};

function quantized(weight: Tensor): QuantizedRows {
  return quantizeRows(weight.dataSync<'float32'>() as Float32Array, ...(weight.shape as [number, number]));
}

function check(
  x: Tensor,
  { outputs, inputs, refined, backend, tensors }: PackedWeight,
  bias: Tensor | undefined,
): void {
  if (engine().isTapeOn()) {
    throw new Error('linearPacked: packed weights have no gradient; use linear where tfjs records one');
  }
  if (engine().backendName !== backend) {
    throw new Error(`linearPacked: the weight was packed on backend ${backend}; got ${engine().backendName}`);
  }
  if (tensors[0]!.isDisposed) throw new Error('linearPacked: the packed weight has been disposed');
  if (refined?.weight.isDisposed) throw new Error('linearPacked: the weight to refine with has been disposed');
  checkFloats('linearPacked', { x, ...(bias && { bias }) });
  if (x.shape.at(-1) !== inputs) {
    throw new Error(`linearPacked: the last axis of x must be ${inputs}; got x of shape [${x.shape}]`);
  }
  if (bias && bias.shape.join() !== `${outputs}`) {
    throw new Error(`linearPacked: bias must be [${outputs}]; got [${bias.shape}]`);
  }
}
