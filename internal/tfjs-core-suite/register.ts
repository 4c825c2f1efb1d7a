/** Puts our kernels in place of tfjs' own on the wasm backend that already runs, the way any program does. */
export async function register(): Promise<void> {
  await import('../../packages/tensor-ops/src/register.js');
}
