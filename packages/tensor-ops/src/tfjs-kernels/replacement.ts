// What stands in for one of tfjs' own wasm kernels, or for one that it lacks.
import {
  getKernel,
  type KernelConfig,
  type KernelFunc,
  type NamedAttrMap,
  type TensorInfo,
} from '@tensorflow/tfjs-core';
import { wasmBackend } from '../wasm/heap.js';

/** Tensors by the names that tfjs gives them. */
export type Inputs = { [name: string]: TensorInfo };

/** A kernel under tfjs' own name. `stock` runs what it replaces, for the cases that it leaves to it. */
export interface Replacement {
  kernelName: string;
  run(
    inputs: Inputs,
    attributes: unknown,
    stock: (inputs: Inputs, attributes?: unknown) => TensorInfo,
  ): TensorInfo | TensorInfo[];
}

/** The config that tfjs' registry takes; it keeps the replaced kernel's set-up. */
export function replace({ kernelName, run }: Replacement, replaced: KernelConfig | undefined): KernelConfig {
  const stock = (inputs: Inputs, attributes: unknown = {}): TensorInfo => {
    if (!replaced) throw new Error(`${kernelName}: tfjs' wasm backend has no such kernel to fall back on`);
    return runFunction(replaced.kernelFunc, inputs, attributes);
  };
  return {
    kernelName,
    backendName: 'wasm',
    ...(replaced?.setupFunc && { setupFunc: replaced.setupFunc }),
    kernelFunc: ({ inputs, attrs }) => run(inputs as Inputs, attrs, stock),
  };
}

/** Runs another kernel of the wasm backend below tfjs' tape. */
export function runKernel(kernelName: string, inputs: Inputs, attributes: unknown = {}): TensorInfo {
  const kernel = getKernel(kernelName, 'wasm');
  if (!kernel) throw new Error(`${kernelName}: tfjs' wasm backend has no such kernel`);
  return runFunction(kernel.kernelFunc, inputs, attributes);
}

/** Frees what a kernel made on its way and does not return. */
export function release(...tensors: TensorInfo[]): void {
  for (const { dataId } of tensors) wasmBackend().disposeData(dataId);
}

function runFunction(kernelFunc: KernelFunc, inputs: Inputs, attributes: unknown): TensorInfo {
  return kernelFunc({ inputs, attrs: attributes as NamedAttrMap, backend: wasmBackend() }) as TensorInfo;
}
