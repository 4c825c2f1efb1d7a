// clone without a copy, as tfjs' other backends have it: tensors are never changed while they are shared, and the tape clones
// every tensor that it keeps for a gradient.
import { Identity, type KernelConfig, type TensorInfo, tensor } from '@tensorflow/tfjs-core';
import { wasmBackend } from '../wasm/heap.js';

export const identityKernel: KernelConfig = {
  kernelName: Identity,
  backendName: 'wasm',
  kernelFunc: ({ inputs }) => {
    const { dataId, shape, dtype } = inputs.x as TensorInfo;
    const backend = wasmBackend();
    if (dtype === 'string') return tensor(backend.readSync(dataId) as unknown as string[], shape, dtype);
    backend.incRef(dataId);
    return { dataId, shape, dtype };
  },
};
