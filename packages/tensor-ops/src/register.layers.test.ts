// The claim of the register entry: a tfjs-layers model, which tfjs' own wasm backend cannot train, trains as on its cpu backend.
import '@tensorflow/tfjs-backend-cpu';
import { oneHot, ready, reshape, setBackend, tensor1d, tensor2d, tidy, train } from '@tensorflow/tfjs-core';
import { initializers, layers, type Sequential, sequential } from '@tensorflow/tfjs-layers';
import { expect, test } from 'vitest';
import './register.js';

const [B, T, V] = [4, 6, 11];
const STEPS = 6;

function model(cell: 'gru' | 'lstm'): Sequential {
  const uniform = (seed: number) => initializers.randomUniform({ minval: -0.2, maxval: 0.2, seed });
  const sizes = { units: 8, returnSequences: true, kernelInitializer: uniform(2), recurrentInitializer: uniform(3) };
  const all = sequential();
  all.add(layers.embedding({ inputDim: V, outputDim: 5, inputLength: T, embeddingsInitializer: uniform(1) }));
  all.add(layers[cell](sizes));
  all.add(layers.dense({ units: V, activation: 'softmax', kernelInitializer: uniform(4) }));
  all.compile({ optimizer: train.adam(0.02), loss: 'categoricalCrossentropy' });
  return all;
}

async function losses(backend: string, cell: 'gru' | 'lstm'): Promise<number[]> {
  await setBackend(backend);
  await ready();
  const ids = Array.from({ length: B * T }, (_, i) => (i * i + 3) % V);
  const x = tensor2d(ids, [B, T], 'int32');
  const y = tidy(() => reshape(oneHot(tensor1d(ids, 'int32'), V), [B, T, V]));
  const trained = model(cell);
  const all: number[] = [];
  for (let step = 0; step < STEPS; step++) all.push((await trained.trainOnBatch(x, y)) as number);
  return all;
}

test.each(['gru', 'lstm'] as const)(
  'embedding, %s and dense train on wasm with the losses of the cpu backend',
  async (cell) => {
    const [cpu, wasm] = [await losses('cpu', cell), await losses('wasm', cell)];
    for (const [step, loss] of cpu.entries()) expect(wasm[step]).toBeCloseTo(loss, 4);
    expect(wasm.at(-1)).toBeLessThan(wasm[0]! - 0.02);
  },
);
