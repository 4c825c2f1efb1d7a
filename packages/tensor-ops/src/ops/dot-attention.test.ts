import type { Tensor } from '@tensorflow/tfjs-core';
import { beforeAll, describe, expect, test } from 'vitest';
import { useBackend } from '../backend.js';
import { dotAttentionReference } from '../reference/dot-attention.js';
import { expectNoTensorsLeft, expectSame, forSizes, randomMask, randomTensor } from '../testing/index.js';
import { dotAttention } from './dot-attention.js';

beforeAll(async () => {
  expect((await useBackend()).name).toBe('wasm');
});

const dot =
  (scale: number, mask?: Tensor) =>
  (query: Tensor, keys: Tensor, values: Tensor): Tensor[] =>
    Object.values(dotAttention(query, keys, values, { scale, mask }));

const dotReference =
  (scale: number, mask?: Tensor) =>
  (query: Tensor, keys: Tensor, values: Tensor): Tensor[] =>
    dotAttentionReference(query, keys, values, scale, mask);

describe('dotAttention', () => {
  test('equals its reference in context, weights and every gradient, with every form of mask', () => {
    expectNoTensorsLeft(() =>
      forSizes(
        'BTSAN',
        ({ B, T, S, A, N }, seed) => {
          const inputs = [
            randomTensor([B, T, A], seed),
            randomTensor([B, S, A], seed + 1),
            randomTensor([B, S, N], seed + 2),
          ];
          const masks = [undefined, [B, S], [B, T, S], [1, S], [1, T, S], [B, 1, S]][seed % 6];
          const mask = masks && randomMask(masks, seed + 3);
          expectSame(dot(0.7, mask), dotReference(0.7, mask), inputs);
          for (const x of [...inputs, ...(mask ? [mask] : [])]) x.dispose();
        },
        { runs: 60, least: 1, most: 17 },
      ),
    );
  });
});
