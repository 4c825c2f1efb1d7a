// Starting: tfjs' gradients, our kernels, and the best backend this engine runs.
import { setWasmPaths } from '@tensorflow/tfjs-backend-wasm';
import { env, ready, setBackend } from '@tensorflow/tfjs-core';
import { isNode, withoutNewListeners } from './process-listeners.js';
import { registerKernels } from './registry.js';
import { registerGradients } from './tfjs-gradients.js';
import { compileKernels, type SimdVariant, simdVariant } from './wasm/kernels.js';

/** What `useBackend` started, and why. */
export interface BackendInfo {
  name: 'wasm' | 'cpu';
  /** The kernels' instruction set; null on the cpu backend. */
  simd: SimdVariant | null;
  reason: string;
}

export interface BackendOptions {
  /**
   * URL of tfjs-backend-wasm-simd.wasm, for a page that no bundler has built. Node, Vite and webpack find the file themselves.
   */
  wasmUrl?: string;
}

let started: Promise<BackendInfo> | undefined;
let info: BackendInfo | undefined;

/**
 * Registers gradients and kernels and starts tfjs on WebAssembly SIMD; where there is none, on tfjs' cpu backend.
 * Once it has started, further calls give the first call's answer.
 *
 * @returns the backend's name, its instruction set and the reason for the choice
 * @throws Error when neither backend starts
 * @example
 * const backend = await useBackend(); // { name: 'wasm', simd: 'relaxed', reason: '…' }
 */
export function useBackend(options: BackendOptions = {}): Promise<BackendInfo> {
  started ??= start(options).catch((error: unknown) => {
    started = undefined;
    throw error;
  });
  return started;
}

/** What `useBackend` started. @throws Error when it has not been awaited. */
export function currentBackend(): BackendInfo {
  if (!info) throw new Error('currentBackend: no backend runs yet; call await useBackend() first');
  return info;
}

async function start(options: BackendOptions): Promise<BackendInfo> {
  registerGradients();
  const refusal = await startWasm(options);
  info = refusal === null ? wasmInfo() : await startCpu(refusal);
  return info;
}

function wasmInfo(): BackendInfo {
  const simd = simdVariant();
  return { name: 'wasm', simd, reason: `this engine has WebAssembly ${simd === 'relaxed' ? 'relaxed ' : ''}SIMD` };
}

/** Starts tfjs' wasm backend with our kernels; null, or why it does not run here. */
async function startWasm({ wasmUrl }: BackendOptions): Promise<string | null> {
  if (typeof WebAssembly === 'undefined') return 'this engine has no WebAssembly';
  if (!(await env().getAsync('WASM_HAS_SIMD_SUPPORT'))) return 'this engine has no WebAssembly SIMD';
  env().set('WASM_HAS_MULTITHREAD_SUPPORT', false); // its threaded build keeps tensors in another memory
  try {
    if (wasmUrl !== undefined || !isNode()) setWasmPaths(pathsTo(wasmUrl ?? bundledUrl()));
    registerKernels();
    if (!(await withoutNewListeners(() => setBackend('wasm')))) return 'tfjs could not start its wasm backend';
    await ready();
    await compileKernels();
    return null;
  } catch (error) {
    return `tfjs could not start its wasm backend (${messageOf(error)})`;
  }
}

async function startCpu(why: string): Promise<BackendInfo> {
  try {
    await import('@tensorflow/tfjs-backend-cpu');
    await setBackend('cpu');
    await ready();
  } catch (error) {
    throw new Error(`useBackend: ${why}, and tfjs' cpu backend does not start either (${messageOf(error)})`);
  }
  return { name: 'cpu', simd: null, reason: `${why}; tfjs' cpu backend is many times slower` };
}

/** Vite and webpack rewrite this very expression to the file they emit. */
function bundledUrl(): string {
  return new URL('@tensorflow/tfjs-backend-wasm/dist/tfjs-backend-wasm-simd.wasm', import.meta.url).href;
}

/** tfjs demands three names even where it never uses two of them; the SIMD build serves all. */
function pathsTo(simd: string) {
  return {
    'tfjs-backend-wasm.wasm': simd,
    'tfjs-backend-wasm-simd.wasm': simd,
    'tfjs-backend-wasm-threaded-simd.wasm': simd,
  };
}

function messageOf(error: unknown): string {
  const { message } = (error ?? {}) as { message?: unknown };
  return typeof message === 'string' ? message : String(error);
}
