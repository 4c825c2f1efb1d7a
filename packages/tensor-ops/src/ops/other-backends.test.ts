import '@tensorflow/tfjs-backend-cpu';
import {
  greater,
  memory,
  setBackend,
  type Tensor,
  type Tensor1D,
  type Tensor2D,
  tensor,
  tidy,
} from '@tensorflow/tfjs-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { useBackend } from '../backend.js';
import { expectClose, gradientsOf, type Op, randomTensor } from '../testing/index.js';
import { crossEntropy } from './cross-entropy.js';
import { dropout } from './dropout.js';
import { embedding } from './embedding.js';
import { layerNorm } from './layer-norm.js';
import { linear } from './linear.js';
import { linearCrossEntropy } from './linear-cross-entropy.js';
import { logSoftmax } from './log-softmax.js';
import { scoreTargets } from './score-targets.js';
import { softmax } from './softmax.js';

beforeAll(async () => {
  expect((await useBackend()).name).toBe('wasm');
});
afterAll(() => setBackend('wasm'));

const ids = (values: number[]) => tensor(values, [values.length], 'int32') as Tensor1D;
const key = { seed: 1, step: 2, rowOffset: 3 };
const loss = { ignoreId: 1, labelSmoothing: 0.1 };

const OPS: [string, Op, number[][]][] = [
  ['embedding', (w) => embedding(w as Tensor2D, ids([0, 3, 3, 1]), { paddingId: 1 }), [[4, 3]]],
  ['softmax', (x) => softmax(x!, { mask: greater(randomTensor([2, 5], 9), 0) }), [[2, 5]]],
  ['logSoftmax', (x) => logSoftmax(x!), [[2, 5]]],
  ['crossEntropy', (x) => crossEntropy(x as Tensor2D, ids([1, 0, 4]), loss), [[3, 5]]],
  [
    'linearCrossEntropy',
    (x, w, b) => linearCrossEntropy(x as Tensor2D, w as Tensor2D, b as Tensor1D, ids([1, 0, 4]), loss),
    [[3, 2], [5, 2], [5]],
  ],
  ['layerNorm', (x, w, b) => layerNorm(x!, w as Tensor1D, b as Tensor1D), [[3, 4], [4], [4]]],
  ['dropout', (x) => dropout(x!, 0.4, key, 5), [[3, 7]]],
  ['linear', (x, w, b) => linear(x!, w as Tensor2D, b as Tensor1D), [[3, 2], [5, 2], [5]]],
];

test.each(OPS)("%s gives the same value and gradients on tfjs' cpu backend", async (_, op, shapes) => {
  const run = () => {
    const inputs = shapes.map((shape, i) => randomTensor(shape, i + 1));
    const results = tidy(() => [op(...inputs) as Tensor, ...gradientsOf(op, inputs)]);
    const values = results.map((x) => x.dataSync().slice());
    for (const x of [...inputs, ...results]) x.dispose();
    return values;
  };
  await setBackend('wasm');
  const wasm = run();
  await setBackend('cpu');
  const before = memory().numTensors;
  for (const [i, values] of run().entries()) expectClose(values, wasm[i]!, 1e-5);
  expect(memory().numTensors).toBe(before);
});

test('scores are the same on both backends', async () => {
  const score = () =>
    tidy(() => {
      const [x, w, b] = [randomTensor([9, 3], 1), randomTensor([4, 3], 2), randomTensor([4], 3)];
      return scoreTargets(x as Tensor2D, w as Tensor2D, b as Tensor1D, ids([0, 1, 2, 3, 0, 1, 2, 3, 1]), loss);
    });
  await setBackend('wasm');
  const wasm = score();
  await setBackend('cpu');
  const cpu = score();
  expect(cpu.loss).toBeCloseTo(wasm.loss, 4);
  expect([cpu.rows, cpu.correct]).toEqual([wasm.rows, wasm.correct]);
});
