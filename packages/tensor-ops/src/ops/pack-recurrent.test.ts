import { dispose, type Tensor1D, type Tensor2D, type Tensor3D, tidy } from '@tensorflow/tfjs-core';
import { beforeAll, expect, test } from 'vitest';
import { useBackend } from '../backend.js';
import { expectClose, expectNoTensorsLeft, randomTensor } from '../testing/index.js';
import { gruSequence } from './gru-sequence.js';
import { lstmSequence } from './lstm-sequence.js';
import { packRecurrent } from './pack-recurrent.js';
import type { RecurrentWeights } from './recurrence/inputs.js';
import { rnnSequence } from './rnn-sequence.js';

beforeAll(async () => {
  expect((await useBackend()).name).toBe('wasm');
});

const CASES = [
  { name: 'rnn', gates: 1, options: {}, run: rnnSequence },
  { name: 'gru', gates: 3, options: { resetAfter: true }, run: gruSequence },
  { name: 'gru', gates: 3, options: { resetAfter: false }, run: gruSequence },
  {
    name: 'lstm',
    gates: 4,
    options: {},
    run: lstmSequence,
  },
] as const;

test.each(CASES)('packed weights give the same outputs ($name $options)', ({ name, gates, options, run }) => {
  for (const [B, T, I, H] of [
    [1, 1, 3, 5],
    [5, 1, 33, 16],
    [3, 6, 8, 13],
  ] as const) {
    expectNoTensorsLeft(() =>
      tidy(() => {
        const G = gates * H;
        const weights: RecurrentWeights = {
          weightIh: randomTensor([G, I], 1) as Tensor2D,
          weightHh: randomTensor([G, H], 2) as Tensor2D,
          biasIh: randomTensor([G], 3) as Tensor1D,
          biasHh: randomTensor([G], 4) as Tensor1D,
        };
        const x = randomTensor([B, T, I], 5) as Tensor3D;
        const packed = packRecurrent(name, weights, options);
        expect(packed.packedHh!.size).toBeGreaterThanOrEqual(G * H);
        expectClose(run(x, null, packed, options).output, run(x, null, weights, options).output, 1e-6);
        dispose(Object.values(packed));
      }),
    );
  }
});
