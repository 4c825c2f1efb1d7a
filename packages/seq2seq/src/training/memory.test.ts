import { engine, memory } from '@tensorflow/tfjs-core';
import { beforeAll, expect, test } from 'vitest';
import { Seq2Seq, train, useBackend } from '../index.js';
import { copyBatches } from '../testing/copy-task.js';

beforeAll(async () => {
  await useBackend();
});

/** Tensors, their bytes, and all of the WebAssembly heap. */
function held() {
  const { wasm } = engine().backend as unknown as { wasm: { HEAPU8: Uint8Array } };
  return { tensors: memory().numTensors, bytes: memory().numBytes, heap: wasm.HEAPU8.buffer.byteLength };
}

test('step 10,000 holds what step 100 held', async () => {
  const model = Seq2Seq.create({
    encoder: { hiddenSize: 4, dropout: 0.1 },
    decoder: { attention: 'dot', dropout: 0.1 },
    sourceVocabulary: 12,
    targetVocabulary: 12,
    seed: 2,
  });
  const batches = copyBatches(5, 2, { symbols: 8, shortest: 1, longest: 4, seed: 5 });
  const seen = new Map<number, ReturnType<typeof held>>();
  for await (const { type, step } of train(model, batches, { steps: 10_000, movingAverage: 0.99 }))
    if (type === 'step') seen.set(step, held());
  expect(seen.get(10_000)).toEqual(seen.get(100));
  model.dispose();
}, 60_000);
