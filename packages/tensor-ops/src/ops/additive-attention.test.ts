import '@tensorflow/tfjs-backend-cpu';
import { mul, setBackend, type Tensor, tensor, tidy } from '@tensorflow/tfjs-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { useBackend } from '../backend.js';
import { additiveAttentionReference } from '../reference/additive-attention.js';
import {
  expectClose,
  expectFiniteDifferences,
  expectNoTensorsLeft,
  expectSame,
  forSizes,
  gradientsOf,
  type Op,
  randomMask,
  randomTensor,
} from '../testing/index.js';
import { additiveAttention } from './additive-attention.js';

beforeAll(async () => {
  expect((await useBackend()).name).toBe('wasm');
});
afterAll(() => setBackend('wasm'));

/** An op of query, keys, vector, values and, where both are given, coverage and its weight. */
const op =
  (mask?: Tensor): Op =>
  (q, k, v, m, c, u) => {
    const coverage = c && u && { sum: c, weight: u };
    const { context, weights } = additiveAttention(q!, k!, v!, m!, { mask, coverage });
    return [context, weights];
  };

const reference =
  (mask?: Tensor): Op =>
  (q, k, v, m, c, u) =>
    additiveAttentionReference(q!, k!, v!, m!, mask, c && u && { sum: c, weight: u });

const operands = (query: number[], S: number, M: number, seed: number, { reach = 2, coverage = false } = {}) => {
  const [B, A] = [query[0]!, query.at(-1)!];
  const shapes = [query, [B, S, A], [A], [B, S, M], ...(coverage ? [[...query.slice(0, -1), S], [A]] : [])];
  return shapes.map((shape, i) => randomTensor(shape, seed + i, -reach, reach));
};

describe('context, weights and every gradient equal the reference', () => {
  test('with every form of mask', () => {
    expectNoTensorsLeft(() =>
      forSizes(
        'BTSAM',
        ({ B, T, S, A, M }, seed) =>
          tidy(() => {
            const shape = [undefined, [B, S], [B, T, S], [1, S], [1, T, S], [B, 1, S]][seed % 6];
            const mask = shape && randomMask(shape, seed);
            expectSame(op(mask), reference(mask), operands([B, T, A], S, M, seed));
          }),
        { runs: 60, least: 1, most: 17 },
      ),
    );
  });

  test('with coverage, whose gradients flow too', () => {
    expectNoTensorsLeft(() =>
      forSizes(
        'BTSAM',
        ({ B, T, S, A, M }, seed) =>
          tidy(() => {
            const mask = seed % 2 ? randomMask([B, T, S], seed) : undefined;
            expectSame(op(mask), reference(mask), operands([B, T, A], S, M, seed, { reach: 1, coverage: true }));
          }),
        { runs: 30, least: 1, most: 13 },
      ),
    );
  });

  test('with a query a row, as in decoding', () => {
    forSizes(
      'BSAM',
      ({ B, S, A, M }, seed) =>
        tidy(() => {
          const mask = seed % 2 ? randomMask([B, S], seed) : undefined;
          expectSame(op(mask), reference(mask), operands([B, A], S, M, seed, { coverage: seed % 3 === 0 }));
        }),
      { runs: 30, least: 1, most: 33 },
    );
  });

  // Beyond ±40 exponentials of single sides are no longer taken.
  test.each([30, 39, 41, 200, 1e4])('with operands up to ±%d', (reach) => {
    tidy(() => {
      const [q, k, v, m] = operands([2, 5, 9], 7, 3, 1) as [Tensor, Tensor, Tensor, Tensor];
      const opposite = mul(k, -reach); // most sums are large, some cancel
      expectSame(op(), reference(), [mul(q, reach), opposite, v, m], reach > 100 ? 1e-3 : 1e-4);
      expectSame(op(), reference(), [
        tensor(Array(90).fill(reach), [2, 5, 9]),
        tensor(Array(126).fill(-reach), [2, 7, 9]),
        v,
        m,
      ]);
    });
  });

  test("on tfjs' cpu backend, where the reference runs", async () => {
    const run = () => {
      const results = tidy(() => {
        const inputs = operands([2, 3, 4], 5, 6, 1, { coverage: true });
        const mask = randomMask([2, 3, 5], 2);
        return [...(op(mask)(...inputs) as Tensor[]), ...gradientsOf(op(mask), inputs)];
      });
      return results.map((x) => x.dataSync().slice());
    };
    const wasm = run();
    await setBackend('cpu');
    for (const [i, values] of run().entries()) expectClose(values, wasm[i]!, 1e-5);
    await setBackend('wasm');
  });
});

test('gradients equal finite differences', () => {
  tidy(() => {
    expectFiniteDifferences(op(), operands([2, 3, 5], 4, 2, 1, { reach: 1 }));
    expectFiniteDifferences(op(randomMask([2, 4], 3)), operands([2, 1, 5], 4, 2, 2, { reach: 1 }));
    expectFiniteDifferences(op(), operands([1, 2, 5], 4, 2, 3, { reach: 1, coverage: true }));
  });
});

test('a query that may attend nothing has zero context, weights and gradients', () => {
  tidy(() => {
    const mask = tensor([0, 0, 0, 0, 0, 1, 1, 0], [2, 4], 'bool');
    const inputs = operands([2, 3, 6], 4, 5, 1, { coverage: true });
    for (const operand of [inputs, inputs.slice(0, 4)]) {
      const results = [...(op(mask)(...operand) as Tensor[]), ...gradientsOf(op(mask), operand)];
      for (const x of results) {
        expect(x.dataSync().every(Number.isFinite)).toBe(true);
        if (x.rank === 3)
          expect(
            x
              .dataSync()
              .slice(0, x.size / 2)
              .every((value) => value === 0),
          ).toBe(true);
      }
    }
  });
});

test('NaN in a query shows in its own row and no other', () => {
  tidy(() => {
    const [q, k, v, m] = operands([1, 3, 4], 5, 2, 1) as [Tensor, Tensor, Tensor, Tensor];
    const spoilt = q.dataSync().slice();
    spoilt[5] = Number.NaN; // row 1
    const { weights } = additiveAttention(tensor(spoilt, q.shape), k, v, m);
    expect([...weights.dataSync()].map(Number.isNaN)).toEqual([...Array(15).keys()].map((i) => i >= 5 && i < 10));
  });
});

test('sizes of zero give empty or zero outputs and gradients', () => {
  expectNoTensorsLeft(() =>
    forSizes(
      'BTSAM',
      ({ B, T, S, A, M }, seed) =>
        tidy(() => {
          const inputs = operands([B, T, A], S, M, 1, { coverage: seed % 2 === 0 });
          const [context, weights] = op(randomMask([B, S], 2))(...inputs) as [Tensor, Tensor];
          expect([context.shape, weights.shape]).toEqual([
            [B, T, M],
            [B, T, S],
          ]);
          if (S === 0) expect(context.dataSync().every((x) => x === 0)).toBe(true);
          for (const [i, d] of gradientsOf(op(), inputs).entries()) {
            expect(d.shape).toEqual(inputs[i]!.shape);
            if (B * T * S === 0) expect(d.dataSync().every((x) => x === 0)).toBe(true);
          }
        }),
      { runs: 60, most: 2 },
    ),
  );
});

test('says which operand does not fit', () => {
  tidy(() => {
    const [q, k, v, m] = operands([2, 3, 4], 5, 6, 1) as [Tensor, Tensor, Tensor, Tensor];
    expect(() => additiveAttention(q, k, randomTensor([5], 1), m)).toThrow(
      "additiveAttention: vector must be [4], as the query's last axis is 4; got [5]",
    );
    const coverage = (sum: number[], weight: number[]) => ({
      coverage: { sum: randomTensor(sum, 1), weight: randomTensor(weight, 1) },
    });
    expect(() => additiveAttention(q, k, v, m, coverage([2, 5], [4]))).toThrow(
      'additiveAttention: coverage.sum must be [2,3,5]; got [2,5]',
    );
    expect(() => additiveAttention(q, k, v, m, coverage([2, 3, 5], [3]))).toThrow('coverage.weight must be [4]');
    expect(() => additiveAttention(q, m, v, m)).toThrow('additiveAttention: keys must be [2,S,4]');
  });
});
