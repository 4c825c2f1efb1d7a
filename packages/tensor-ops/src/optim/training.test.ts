import { memory, type Scalar, tensor1d, tidy } from '@tensorflow/tfjs-core';
import { beforeAll, expect, test } from 'vitest';
import { useBackend } from '../backend.js';
import { Dropout } from '../nn/dropout.js';
import { Embedding } from '../nn/embedding.js';
import { LayerNorm } from '../nn/layer-norm.js';
import { Linear } from '../nn/linear.js';
import { Module } from '../nn/module.js';
import { linearCrossEntropy } from '../ops/linear-cross-entropy.js';
import { heapBytes } from '../wasm/heap.js';
import { AdamW } from './adam.js';
import { clipByGlobalNorm } from './clip.js';
import { ExponentialMovingAverage } from './moving-average.js';
import { valueAndGradients } from './value-and-gradients.js';

/** Says which id follows an id; ids and answers are a fixed shuffle. */
class Successor extends Module {
  readonly embedding = this.child(
    'embedding',
    new Embedding({ numEmbeddings: 20, embeddingSize: 16, paddingId: 0, seed: 1 }),
  );
  readonly dropout = this.child('dropout', new Dropout({ rate: 0.1, seed: 2 }));
  readonly hidden = this.child('hidden', new Linear({ inputSize: 16, outputSize: 24, seed: 3 }));
  readonly norm = this.child('norm', new LayerNorm({ size: 24 }));
  readonly output = this.child('output', new Linear({ inputSize: 24, outputSize: 20, seed: 4 }));

  loss(step: number | null): Scalar {
    const ids = tensor1d(
      Array.from({ length: 24 }, (_, i) => (i < 20 ? i : 0)),
      'int32',
    );
    const targets = tensor1d(
      Array.from({ length: 24 }, (_, i) => (i < 20 ? (i * 7 + 3) % 20 : 0)),
      'int32',
    );
    const key = step === null ? undefined : { seed: 1, step, rowOffset: 0 };
    const x = this.norm.forward(this.hidden.forward(this.dropout.forward(this.embedding.forward(ids), key)));
    const { weight, bias } = this.output;
    return linearCrossEntropy(x, weight, bias ?? undefined, targets, {
      ignoreId: 0,
      labelSmoothing: 0.05,
    });
  }
}

beforeAll(async () => {
  expect((await useBackend()).name).toBe('wasm');
});

test('a small model learns; tensors and heap stay as they were after the first steps', () => {
  const model = new Successor();
  const parameters = model.parameters();
  const optimizer = new AdamW(parameters, { learningRate: 0.01 });
  const average = new ExponentialMovingAverage(parameters);
  const lossNow = () => tidy(() => model.loss(null).dataSync()[0] as number);
  const first = lossNow();
  let settled: { tensors: number; bytes: number; heap: number } | undefined;
  const held = () => ({ tensors: memory().numTensors, bytes: memory().numBytes, heap: heapBytes().length });
  for (let step = 1; step <= 300; step++) {
    const { value, gradients } = valueAndGradients(() => model.loss(step), parameters);
    clipByGlobalNorm(gradients, 1);
    optimizer.step(gradients);
    average.update();
    for (const tensor of [value, ...gradients]) tensor.dispose();
    if (step === 100) settled = held();
  }
  expect(held()).toEqual(settled);
  expect(first).toBeGreaterThan(2.5);
  expect(lossNow()).toBeLessThan(0.6); // smoothing alone leaves 0.3
});
