import type { Tensor } from '@tensorflow/tfjs-core';
import { beforeAll, describe, expect, test } from 'vitest';
import { useBackend } from '../backend.js';
import { additiveAttentionReference } from '../reference/additive-attention.js';
import { expectNoTensorsLeft, expectSame, forSizes, randomMask, randomTensor } from '../testing/index.js';
import { additiveAttention } from './additive-attention.js';

beforeAll(async () => {
  expect((await useBackend()).name).toBe('wasm');
});

describe('additiveAttention', () => {
  test('equals its reference in context, weights and every gradient, with every form of mask', () => {
    expectNoTensorsLeft(() =>
      forSizes(
        'BTSAN',
        ({ B, T, S, A, N }, seed) => {
          const inputs = [[B, T, A], [B, S, A], [A], [B, S, N]].map((shape, i) => randomTensor(shape, seed + i, -2, 2));
          const masks = [undefined, [B, S], [B, T, S], [1, S], [1, T, S], [B, 1, S]][seed % 6];
          const mask = masks && randomMask(masks, seed + 3);
          expectSame(
            (q, k, v, m) =>
              Object.values(additiveAttention(q as Tensor, k as Tensor, v as Tensor, m as Tensor, { mask })),
            (q, k, v, m) =>
              additiveAttentionReference(q as Tensor, k as Tensor, v as Tensor, m as Tensor, mask, undefined),
            inputs,
          );
          for (const x of [...inputs, ...(mask ? [mask] : [])]) x.dispose();
        },
        { runs: 60, least: 1, most: 17 },
      ),
    );
  });

  test('equals its reference with coverage, whose gradients flow too', () => {
    forSizes(
      'BTSAN',
      ({ B, T, S, A, N }, seed) => {
        const shapes = [[B, T, A], [B, S, A], [A], [B, S, N], [B, T, S], [A]];
        const inputs = shapes.map((shape, i) => randomTensor(shape, seed + i));
        const mask = seed % 2 ? randomMask([B, T, S], seed + 3) : undefined;
        const run =
          (op: (q: Tensor, k: Tensor, v: Tensor, m: Tensor, coverage: { sum: Tensor; weight: Tensor }) => Tensor[]) =>
          (...[q, k, v, m, sum, weight]: Tensor[]) =>
            op(q as Tensor, k as Tensor, v as Tensor, m as Tensor, { sum: sum as Tensor, weight: weight as Tensor });
        expectSame(
          run((q, k, v, m, coverage) => Object.values(additiveAttention(q, k, v, m, { mask, coverage }))),
          run((q, k, v, m, coverage) => additiveAttentionReference(q, k, v, m, mask, coverage)),
          inputs,
        );
        for (const x of [...inputs, ...(mask ? [mask] : [])]) x.dispose();
      },
      { runs: 30, least: 1, most: 13 },
    );
  });
});
