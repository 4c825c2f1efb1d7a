import { type Tensor, type Tensor1D, type Tensor2D, type Tensor3D, tidy } from '@tensorflow/tfjs-core';
import { beforeAll, expect, test } from 'vitest';
import { useBackend } from '../backend.js';
import { gruSequenceReference } from '../reference/gru-sequence.js';
import { expectFiniteDifferences, expectSame, type Op, randomTensor } from '../testing/index.js';
import { type GruOptions, gruSequence } from './gru-sequence.js';

beforeAll(async () => {
  expect((await useBackend()).name).toBe('wasm');
});

const op =
  (run: typeof gruSequence, options: GruOptions): Op =>
  (x, hidden, weightIh, weightHh, biasIh, biasHh) => {
    const { output, state } = run(
      x as Tensor3D,
      hidden as Tensor2D,
      {
        weightIh: weightIh as Tensor2D,
        weightHh: weightHh as Tensor2D,
        biasIh: biasIh as Tensor1D,
        biasHh: biasHh as Tensor1D,
      },
      options,
    );
    return [output, state];
  };
const inputs = ([B, T, I, H]: [number, number, number, number], seed: number): Tensor[] =>
  [[B, T, I], [B, H], [3 * H, I], [3 * H, H], [3 * H], [3 * H]].map((shape, i) => randomTensor(shape, seed + i));

test('finite differences agree', () => {
  tidy(() => {
    for (const options of [{}, { lengths: [2, 0, 3] }, { lengths: [1, 3, 2], reverse: true }, { resetAfter: false }]) {
      expectFiniteDifferences(op(gruSequence, options), inputs([3, 3, 2, 3], 1));
      expectSame(op(gruSequence, options), op(gruSequenceReference, options), inputs([3, 3, 2, 3], 1));
    }
  });
});
