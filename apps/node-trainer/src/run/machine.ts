import { availableParallelism, cpus } from 'node:os';

/** What a run ran on, for its report. */
export function describeMachine(): string {
  const model = cpus()[0]?.model.trim() ?? 'unknown processor';
  return `${model}, ${availableParallelism()} cores, Node ${process.versions.node}, ${process.platform} ${process.arch}`;
}

/** `wasm (relaxed SIMD)`. */
export function describeBackend({ name, simd }: { readonly name: string; readonly simd: string | null }): string {
  return simd === null ? name : `${name} (${simd === 'relaxed' ? 'relaxed SIMD' : 'SIMD'})`;
}
