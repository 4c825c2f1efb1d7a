// The same op on tfjs' cpu backend, where it is composed of tfjs ops.
import '@tensorflow/tfjs-backend-cpu';
import { setBackend, type Tensor, type Tensor2D, type Tensor3D, tidy } from '@tensorflow/tfjs-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { useBackend } from '../../backend.js';
import { expectClose, gradientsOf, type Op, randomTensor } from '../../testing/index.js';
import { gruSequence } from '../gru-sequence.js';
import { lstmSequence } from '../lstm-sequence.js';
import { rnnSequence } from '../rnn-sequence.js';

beforeAll(async () => {
  expect((await useBackend()).name).toBe('wasm');
});
afterAll(async () => {
  await setBackend('wasm');
});

const OPS = { rnnSequence: [rnnSequence, 1], gruSequence: [gruSequence, 3], lstmSequence: [lstmSequence, 4] } as const;

test.each(Object.entries(OPS))('%s gives the same on tfjs’ cpu backend', async (_name, [run, gates]) => {
  const [B, T, I, H] = [3, 4, 2, 5];
  const op: Op = (x, weightIh, weightHh) => {
    const weights = { weightIh: weightIh as Tensor2D, weightHh: weightHh as Tensor2D };
    const { output, state } = run(x as Tensor3D, null, weights, { lengths: [2, 4, 0], reverse: true });
    return 'cell' in state ? [output, state.hidden, state.cell] : [output, state];
  };
  const results: Float32Array[][] = [];
  for (const backend of ['wasm', 'cpu']) {
    await setBackend(backend);
    tidy(() => {
      const inputs = [
        [B, T, I],
        [gates * H, I],
        [gates * H, H],
      ].map((shape, i) => randomTensor(shape, i + 1));
      const all = [...(op(...inputs) as Tensor[]), ...gradientsOf(op, inputs)];
      results.push(all.map((tensor) => tensor.dataSync().slice() as Float32Array));
    });
  }
  for (const [i, expected] of results[1]!.entries()) expectClose(results[0]![i]!, expected, 1e-5, `tensor ${i}`);
});
