import { type TensorInfo, util } from '@tensorflow/tfjs-core';
import { address, makeOutput, wasmBackend } from '../wasm/heap.js';
import { kernels } from '../wasm/kernels.js';
import type { Replacement } from './replacement.js';

type Map = (x: number, y: number, n: number) => void;

function mapped(x: TensorInfo, map: Map): TensorInfo {
  const y = makeOutput(x.shape, 'float32');
  map(address(x), address(y), util.sizeFromShape(x.shape));
  return y;
}

const replaceMap = (kernelName: string, map: () => Map): Replacement => ({
  kernelName,
  run: ({ x }, attributes, stock) => (x!.dtype === 'float32' ? mapped(x!, map()) : stock({ x: x! }, attributes)),
});

export const tanh = replaceMap('Tanh', () => kernels().tanhMap);
export const exp = replaceMap('Exp', () => kernels().expMap);

/** The stock kernel turns NaN into the lower bound, and takes integers for floats. */
export const clipByValue: Replacement = {
  kernelName: 'ClipByValue',
  run: ({ x }, attributes, stock) => {
    const { clipValueMin, clipValueMax } = attributes as { clipValueMin: number; clipValueMax: number };
    if (x!.dtype === 'int32') return clippedIntegers(x!, clipValueMin, clipValueMax);
    if (x!.dtype !== 'float32') return stock({ x: x! }, attributes);
    return mapped(x!, (from, to, n) => kernels().clipMap(from, to, n, clipValueMin, clipValueMax));
  },
};

function clippedIntegers(x: TensorInfo, least: number, most: number): TensorInfo {
  const y = makeOutput(x.shape, 'int32');
  const [from, to] = [wasmBackend().typedArrayFromHeap(x), wasmBackend().typedArrayFromHeap(y)];
  for (let i = 0; i < from.length; i++) to[i] = Math.min(Math.max(from[i] as number, least), most);
  return y;
}
