// The kernel module, instantiated on tfjs' own heap so that it works on tensors in place.
import type { BackendWasm } from '@tensorflow/tfjs-backend-wasm';
import { wasmBackend } from './heap.js';
import type { KernelExports } from './kernel-exports.generated.js';
import { KERNELS_RELAXED } from './kernels-relaxed.generated.js';
import { KERNELS_SIMD } from './kernels-simd.generated.js';
import { hasRelaxedSimd } from './relaxed-simd.js';

export type SimdVariant = 'relaxed' | 'simd';

const modules = new Map<SimdVariant, WebAssembly.Module>();
let variant: SimdVariant | undefined;
let instance: { backend: BackendWasm; exports: KernelExports } | undefined;

/** The variant in use: the best this engine compiles, unless `chooseSimd` said otherwise. */
export function simdVariant(): SimdVariant {
  variant ??= hasRelaxedSimd() ? 'relaxed' : 'simd';
  return variant;
}

/** Takes a variant other than the best one, for tests and measurements. */
export function chooseSimd(choice: SimdVariant): void {
  if (choice === variant) return;
  variant = choice;
  instance = undefined;
}

/** The kernels on the running wasm backend's heap; compiled at the first call. */
export function kernels(): KernelExports {
  const backend = wasmBackend();
  if (instance?.backend !== backend) {
    instance = { backend, exports: instantiate(backend) };
  }
  return instance.exports;
}

function instantiate(backend: BackendWasm): KernelExports {
  const memory = heapOf(backend);
  const { exports } = new WebAssembly.Instance(compiled(simdVariant()), { env: { memory } });
  return exports as unknown as KernelExports; // the build wrote the interface from this very module
}

function compiled(wanted: SimdVariant): WebAssembly.Module {
  let module = modules.get(wanted);
  if (!module) {
    const text = atob(wanted === 'relaxed' ? KERNELS_RELAXED : KERNELS_SIMD);
    module = new WebAssembly.Module(Uint8Array.from(text, (c) => c.charCodeAt(0)));
    modules.set(wanted, module);
  }
  return module;
}

/** tfjs' memory: its glue code keeps it among the raw exports. */
function heapOf(backend: BackendWasm): WebAssembly.Memory {
  const { asm } = backend.wasm as unknown as { asm?: { memory?: WebAssembly.Memory } };
  if (!asm?.memory) {
    throw new Error('tensor-ops: this build of tfjs-backend-wasm shows no memory; the threaded build is not supported');
  }
  return asm.memory;
}
