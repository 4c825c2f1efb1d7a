import '@tensorflow/tfjs-backend-cpu';
import {
  cast,
  setBackend,
  type Tensor,
  type Tensor1D,
  type Tensor2D,
  type Tensor3D,
  tensor,
  tidy,
} from '@tensorflow/tfjs-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { useBackend } from '../backend.js';
import { randomTensor } from '../testing/index.js';
import { additiveAttention } from './additive-attention.js';
import { crossEntropy } from './cross-entropy.js';
import { dotAttention, multiHeadDotAttention } from './dot-attention.js';
import { dropout } from './dropout.js';
import { embedding } from './embedding.js';
import { gruSequence } from './gru-sequence.js';
import { layerNorm } from './layer-norm.js';
import { linear } from './linear.js';
import { linearCrossEntropy } from './linear-cross-entropy.js';
import { linearPacked, packLinear } from './linear-packed.js';
import { logSoftmax } from './log-softmax.js';
import { lstmSequence } from './lstm-sequence.js';
import { packRecurrent } from './pack-recurrent.js';
import type { RecurrentWeights } from './recurrence/inputs.js';
import { rnnSequence } from './rnn-sequence.js';
import { scoreTargets } from './score-targets.js';
import { softmax } from './softmax.js';

beforeAll(async () => {
  expect((await useBackend()).name).toBe('wasm');
});
afterAll(() => setBackend('wasm'));

type Inputs = { [name: string]: number[] };

const targets = () => tensor([1, 0], [2], 'int32') as Tensor1D;
const layer: Inputs = { x: [2, 3], weight: [4, 3], bias: [4] };
const attended: Inputs = { query: [2, 3, 4], keys: [2, 5, 4], values: [2, 5, 6] };
const recurrent = (gates: number): Inputs => ({
  weightIh: [gates * 2, 3],
  weightHh: [gates * 2, 2],
  biasIh: [gates * 2],
  biasHh: [gates * 2],
});
const sequence = (gates: number): Inputs => ({ x: [2, 4, 3], hidden: [2, 2], ...recurrent(gates) });

/** Every op, the shapes of its inputs that are of floats, and how it is called with them. */
const OPS: [string, Inputs, (inputs: Record<string, Tensor>) => unknown][] = [
  ['linear', layer, ({ x, weight, bias }) => linear(x!, weight as Tensor2D, bias)],
  [
    'linearPacked',
    { x: [2, 3], bias: [4] },
    ({ x, bias }) => linearPacked(x!, packLinear(randomTensor([4, 3], 1) as Tensor2D), bias),
  ],
  ['packLinear', { weight: [4, 3] }, ({ weight }) => packLinear(weight as Tensor2D)],
  ['softmax', { x: [2, 3] }, ({ x }) => softmax(x!)],
  ['logSoftmax', { x: [2, 3] }, ({ x }) => logSoftmax(x!)],
  ['crossEntropy', { logits: [2, 3] }, ({ logits }) => crossEntropy(logits!, targets())],
  ['linearCrossEntropy', layer, ({ x, weight, bias }) => linearCrossEntropy(x!, weight!, bias, targets())],
  ['scoreTargets', layer, ({ x, weight, bias }) => scoreTargets(x!, weight!, bias, targets())],
  ['layerNorm', { x: [2, 3], weight: [3], bias: [3] }, ({ x, weight, bias }) => layerNorm(x!, weight!, bias!)],
  ['dropout', { x: [2, 3] }, ({ x }) => dropout(x!, 0.5, { seed: 1, step: 1, rowOffset: 0 }, 1)],
  ['embedding', { weight: [4, 3] }, ({ weight }) => embedding(weight!, targets())],
  ['dotAttention', attended, ({ query, keys, values }) => dotAttention(query!, keys!, values!)],
  ['multiHeadDotAttention', attended, ({ query, keys, values }) => multiHeadDotAttention(query!, keys!, values!, 2)],
  [
    'additiveAttention',
    { ...attended, vector: [4], 'coverage.sum': [2, 3, 5], 'coverage.weight': [4] },
    ({ query, keys, values, vector, 'coverage.sum': sum, 'coverage.weight': weight }) =>
      additiveAttention(query!, keys!, vector!, values!, { coverage: { sum: sum!, weight: weight! } }),
  ],
  [
    'rnnSequence',
    sequence(1),
    ({ x, hidden, ...weights }) =>
      rnnSequence(x as Tensor3D, hidden as Tensor2D, weights as unknown as RecurrentWeights),
  ],
  [
    'gruSequence',
    sequence(3),
    ({ x, hidden, ...weights }) =>
      gruSequence(x as Tensor3D, hidden as Tensor2D, weights as unknown as RecurrentWeights),
  ],
  [
    'lstmSequence',
    { ...sequence(4), cell: [2, 2] },
    ({ x, hidden, cell, ...weights }) =>
      lstmSequence(
        x as Tensor3D,
        { hidden: hidden as Tensor2D, cell: cell as Tensor2D },
        weights as unknown as RecurrentWeights,
      ),
  ],
  ['packRecurrent', recurrent(3), (weights) => packRecurrent('gru', weights as unknown as RecurrentWeights)],
];

describe.each(['wasm', 'cpu'])('on %s', (backend) => {
  test.each(OPS)('%s refuses integers where floats have to be, by name', async (op, shapes, call) => {
    await setBackend(backend);
    const given = (whole: string | null) =>
      Object.fromEntries(
        Object.entries(shapes).map(([name, shape], i) => {
          const x = randomTensor(shape, i + 1);
          return [name, name === whole ? cast(x, 'int32') : x];
        }),
      );
    tidy(() => {
      expect(() => call(given(null))).not.toThrow();
    });
    for (const [name, shape] of Object.entries(shapes)) {
      const refusal = `${op}: ${name} must be of floats; got int32 [${shape}]`;
      tidy(() => {
        const inputs = given(name);
        expect(() => call(inputs)).toThrow(refusal);
      });
    }
  });
});
