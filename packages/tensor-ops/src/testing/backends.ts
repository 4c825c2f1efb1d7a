import '@tensorflow/tfjs-backend-cpu';
import { setBackend, type Tensor, tidy } from '@tensorflow/tfjs-core';
import { useBackend } from '../backend.js';
import { expectClose, gradientsOf, type Op } from './compare.js';

interface Values {
  shape: number[];
  data: Float32Array | Int32Array | Uint8Array;
}

/**
 * Compares an op of tfjs on wasm, as our kernels make it, with tfjs' own cpu backend: every output and, unless `gradients` is
 * false, the gradient of every input.
 *
 * @param inputs makes the differentiable inputs, anew on either backend
 */
export async function expectSameAsCpu(
  op: Op,
  inputs: () => Tensor[],
  { tolerance = 1e-4, gradients = true, what = '' } = {},
): Promise<void> {
  await useBackend();
  const results: Values[][] = [];
  for (const backend of ['cpu', 'wasm']) {
    await setBackend(backend);
    results.push(
      tidy(() => {
        const xs = inputs();
        const result = op(...xs);
        const outputs = 'dataId' in result ? [result as Tensor] : (Object.values(result) as Tensor[]);
        const all = gradients ? [...outputs, ...gradientsOf(op, xs)] : outputs;
        return all.map((x) => ({ shape: x.shape, data: x.dataSync() }));
      }),
    );
  }
  const [cpu, wasm] = results as [Values[], Values[]];
  for (const [i, expected] of cpu.entries()) {
    const actual = wasm[i]!;
    const name = `${what} result ${i} of shape [${expected.shape}]`;
    if (actual.shape.join() !== expected.shape.join()) throw new Error(`${name}: got shape [${actual.shape}]`);
    expectClose(actual.data, expected.data, tolerance, name);
  }
}
