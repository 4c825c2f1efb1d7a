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

/** The variant in use: the best this engine compiles. */
export function simdVariant(): SimdVariant {
  variant ??= hasRelaxedSimd() ? 'relaxed' : 'simd';
  return variant;
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

/** Compiles the kernels of the chosen variant away from the main thread's time; without it the first op compiles them. */
export async function compileKernels(): Promise<void> {
  const wanted = simdVariant();
  if (!modules.has(wanted)) modules.set(wanted, await WebAssembly.compile(bytesOf(wanted)));
}

function compiled(wanted: SimdVariant): WebAssembly.Module {
  let module = modules.get(wanted);
  if (!module) {
    module = new WebAssembly.Module(bytesOf(wanted));
    modules.set(wanted, module);
  }
  return module;
}

function bytesOf(wanted: SimdVariant): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(atob(wanted === 'relaxed' ? KERNELS_RELAXED : KERNELS_SIMD), (c) => c.charCodeAt(0));
}

/** tfjs' memory: its glue code keeps it among the raw exports. */
function heapOf(backend: BackendWasm): WebAssembly.Memory {
  const { asm } = backend.wasm as unknown as { asm?: { memory?: WebAssembly.Memory } };
  if (!asm?.memory) {
    throw new Error(
      "tensor-ops: tfjs' wasm backend runs with threads, where our kernels cannot reach its memory;" +
        " call useBackend(), or import '@seqloom/tensor-ops/register', before tfjs starts it",
    );
  }
  return asm.memory;
}
