// Starting: tfjs' gradients, our kernels, and the best backend this engine runs.

import { setWasmPaths } from '@tensorflow/tfjs-backend-wasm';
import { engine, env, type GradConfig, getGradient, ready, registerGradient, setBackend } from '@tensorflow/tfjs-core';
import { registerKernels } from './registry.js';
import { gradConfigs } from './tfjs-gradients.generated.js';
import { type SimdVariant, simdVariant } from './wasm/kernels.js';

/** What `useBackend` started, and why. */
export interface BackendInfo {
  name: 'wasm' | 'cpu';
  /** The kernels' instruction set; null on the cpu backend. */
  simd: SimdVariant | null;
  reason: string;
}

let started: Promise<BackendInfo> | undefined;
let info: BackendInfo | undefined;

/**
 * Registers gradients and kernels and starts tfjs on WebAssembly SIMD; where there is none, on tfjs' cpu backend.
 * Further calls give the first call's answer.
 *
 * @returns the backend's name, its instruction set and the reason for the choice
 * @example
 * const backend = await useBackend(); // { name: 'wasm', simd: 'relaxed', reason: '…' }
 */
export function useBackend(): Promise<BackendInfo> {
  started ??= start();
  return started;
}

/** What `useBackend` started. @throws Error when it has not been awaited. */
export function currentBackend(): BackendInfo {
  if (!info) throw new Error('tensor-ops: no backend runs yet; call await useBackend() first');
  return info;
}

/** tfjs' own gradients, which its Node build leaves out; those already registered stay. */
export function registerGradients(): void {
  for (const config of gradConfigs as GradConfig[]) {
    if (!getGradient(config.kernelName)) registerGradient(config);
  }
}

async function start(): Promise<BackendInfo> {
  registerGradients();
  const refusal = await startWasm();
  info = refusal === null ? wasmInfo() : await startCpu(refusal);
  return info;
}

function wasmInfo(): BackendInfo {
  const simd = simdVariant();
  const reason =
    simd === 'relaxed'
      ? 'this engine has WebAssembly relaxed SIMD'
      : 'this engine has WebAssembly SIMD, not relaxed SIMD';
  return { name: 'wasm', simd, reason };
}

/** Starts tfjs' wasm backend with our kernels; null, or why it does not run here. */
async function startWasm(): Promise<string | null> {
  if (typeof WebAssembly === 'undefined') return 'this engine has no WebAssembly';
  if (!(await env().getAsync('WASM_HAS_SIMD_SUPPORT'))) return 'this engine has no WebAssembly SIMD';
  env().set('WASM_HAS_MULTITHREAD_SUPPORT', false); // its threaded build keeps tensors in another memory
  if (!isNode()) setWasmPaths(browserPaths());
  registerKernels();
  try {
    if (!(await withoutNewListeners(() => setBackend('wasm')))) return 'tfjs could not start its wasm backend';
    await ready();
    return null;
  } catch (error) {
    return `tfjs could not start its wasm backend (${error instanceof Error ? error.message : String(error)})`;
  }
}

async function startCpu(why: string): Promise<BackendInfo> {
  await import('@tensorflow/tfjs-backend-cpu');
  await setBackend('cpu');
  await ready();
  return { name: engine().backendName as 'cpu', simd: null, reason: `${why}; tfjs' cpu backend is many times slower` };
}

function isNode(): boolean {
  return typeof process !== 'undefined' && process.versions?.node !== undefined;
}

/** Vite and webpack rewrite this expression to the emitted file. tfjs demands three names; the SIMD build serves them all. */
function browserPaths(): Record<
  'tfjs-backend-wasm.wasm' | 'tfjs-backend-wasm-simd.wasm' | 'tfjs-backend-wasm-threaded-simd.wasm',
  string
> {
  const simd = new URL('@tensorflow/tfjs-backend-wasm/dist/tfjs-backend-wasm-simd.wasm', import.meta.url).href;
  return {
    'tfjs-backend-wasm.wasm': simd,
    'tfjs-backend-wasm-simd.wasm': simd,
    'tfjs-backend-wasm-threaded-simd.wasm': simd,
  };
}

/** tfjs' start leaves process listeners that turn any uncaught error into its own source and exit code 7: they are taken off. */
async function withoutNewListeners<T>(run: () => Promise<T>): Promise<T> {
  if (!isNode()) return run();
  const events = ['uncaughtException', 'unhandledRejection'] as const;
  const before = events.map((event) => new Set<unknown>(process.listeners(event as 'uncaughtException')));
  try {
    return await run();
  } finally {
    for (const [i, event] of events.entries()) {
      for (const listener of process.listeners(event as 'uncaughtException')) {
        if (!before[i]?.has(listener)) process.removeListener(event, listener);
      }
    }
  }
}
