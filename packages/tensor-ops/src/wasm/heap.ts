// tfjs' WebAssembly heap: where a tensor lies, and scratch memory beside the tensors.
// Memory grows, and then every JavaScript view of it is detached: take addresses and views after allocating, use them at once.

import type { BackendWasm } from '@tensorflow/tfjs-backend-wasm';
import { type DataType, engine, type TensorInfo } from '@tensorflow/tfjs-core';

/** What tfjs' module has and its types leave out. */
interface Heap {
  HEAPU8: Uint8Array;
  _malloc(bytes: number): number;
  _free(pointer: number): void;
}

/** The running wasm backend of tfjs. @throws Error when another backend runs. */
export function wasmBackend(): BackendWasm {
  if (engine().backendName !== 'wasm') {
    throw new Error(
      `tensor-ops: the wasm backend must run; got ${engine().backendName ?? 'none'}. Call await useBackend() first`,
    );
  }
  return engine().backend as BackendWasm;
}

/** Byte address of a tensor's first element. */
export function address(tensor: TensorInfo): number {
  return wasmBackend().dataIdMap.get(tensor.dataId).memoryOffset;
}

/** A new tensor of unset elements. @throws RangeError when the heap cannot grow that far. */
export function makeOutput(shape: number[], dtype: DataType): TensorInfo {
  const backend = wasmBackend();
  const info = backend.makeOutput(shape, dtype);
  if (backend.dataIdMap.get(info.dataId).memoryOffset === 0) {
    backend.disposeData(info.dataId);
    throw new RangeError(`tensor-ops: out of WebAssembly memory for a ${dtype} tensor of shape [${shape}]`);
  }
  return info;
}

/** The heap as bytes, valid until something allocates. */
export function heapBytes(): Uint8Array {
  return heap().HEAPU8;
}

/** Runs `use` with the address of `bytes` bytes of scratch, freed afterwards. @throws RangeError when the heap is full. */
export function withScratch<T>(bytes: number, use: (pointer: number) => T): T {
  const wasm = heap();
  const raw = wasm._malloc(bytes + 16) >>> 0;
  if (raw === 0) throw new RangeError(`tensor-ops: out of WebAssembly memory for ${bytes} bytes of scratch`);
  try {
    return use((raw + 15) & ~15);
  } finally {
    wasm._free(raw);
  }
}

function heap(): Heap {
  return wasmBackend().wasm as unknown as Heap;
}
