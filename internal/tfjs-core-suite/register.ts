import { registerKernels } from '../../packages/tensor-ops/src/registry.js';

/** Puts our kernels in place of tfjs' own, on the wasm backend that already runs. */
export async function register(): Promise<void> {
  registerKernels();
}
