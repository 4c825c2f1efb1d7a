import '@tensorflow/tfjs-backend-cpu';
import { pad, reshape, setBackend, slice, split, sum, type Tensor, tensor, tidy } from '@tensorflow/tfjs-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { useBackend } from '../backend.js';
import { dotAttentionReference, multiHeadDotAttentionReference } from '../reference/dot-attention.js';
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
import { type DotAttentionOptions, dotAttention, multiHeadDotAttention } from './dot-attention.js';

beforeAll(async () => {
  expect((await useBackend()).name).toBe('wasm');
});
afterAll(() => setBackend('wasm'));

/** An op of query, keys and values, with 0 for one head without an axis of its own. */
const op =
  (options: DotAttentionOptions = {}, heads = 0): Op =>
  (q, k, v) => {
    const result = heads ? multiHeadDotAttention(q!, k!, v!, heads, options) : dotAttention(q!, k!, v!, options);
    return [result.context, result.weights];
  };

const reference =
  (options: DotAttentionOptions = {}, heads = 0): Op =>
  (q, k, v) =>
    heads ? multiHeadDotAttentionReference(q!, k!, v!, heads, options) : dotAttentionReference(q!, k!, v!, options);

const operands = (query: number[], S: number, M: number, seed: number, reach = 1): Tensor[] => {
  const [B, A] = [query[0]!, query.at(-1)!];
  return [query, [B, S, A], [B, S, M]].map((shape, i) => randomTensor(shape, seed + i, -reach, reach));
};

const key = { seed: 3, step: 7, rowOffset: 2 };

describe('context, weights and every gradient equal the reference', () => {
  test('with every form of mask', () => {
    expectNoTensorsLeft(() =>
      forSizes(
        'BTSAM',
        ({ B, T, S, A, M }, seed) =>
          tidy(() => {
            const shape = [undefined, [B, S], [B, T, S], [1, S], [1, T, S], [B, 1, S]][seed % 6];
            const options = { scale: 0.7, mask: shape && randomMask(shape, seed) };
            expectSame(op(options), reference(options), operands([B, T, A], S, M, seed));
          }),
        { runs: 60, least: 1, most: 17 },
      ),
    );
  });

  test('with a query a row, as in decoding', () => {
    forSizes(
      'BSAM',
      ({ B, S, A, M }, seed) =>
        tidy(() => {
          const shape = [undefined, [B, S], [1, S]][seed % 3];
          const options = { mask: shape && randomMask(shape, seed) };
          expectSame(op(options), reference(options), operands([B, A], S, M, seed));
        }),
      { runs: 30, least: 1 },
    );
  });

  test('with heads, masks and dropout', () => {
    expectNoTensorsLeft(() =>
      forSizes(
        'BKTSAM',
        ({ B, K, T, S, A, M }, seed) =>
          tidy(() => {
            const shape = [undefined, [B, S], [B, T, S], [1, T, S]][seed % 4];
            const dropout = seed % 3 ? { rate: 0.3, key, stream: seed } : undefined;
            const options = { scale: 0.5, mask: shape && randomMask(shape, seed), dropout };
            const query = seed % 5 ? [B, T, K * A] : [B, K * A];
            const mask = query.length === 2 && options.mask?.rank === 3 ? undefined : options.mask;
            expectSame(
              op({ ...options, mask }, K),
              reference({ ...options, mask }, K),
              operands(query, S, K * M, seed),
            );
          }),
        { runs: 40, least: 1, most: 9 },
      ),
    );
  });

  test('with the query beside each context', () => {
    expectNoTensorsLeft(() =>
      forSizes(
        'BKTSAM',
        ({ B, K, T, S, A, M }, seed) =>
          tidy(() => {
            const heads = seed % 3 ? 0 : K;
            const options: DotAttentionOptions = {
              withQuery: seed % 2 ? 'before' : 'after',
              mask: seed % 5 ? randomMask([B, S], seed) : undefined,
              ...(seed % 7 === 0 && { dropout: { rate: 0.3, key, stream: seed } }),
            };
            const query = seed % 4 ? [B, T, K * A] : [B, K * A];
            expectSame(op(options, heads), reference(options, heads), operands(query, S, K * M, seed));
          }),
        { runs: 60, least: 1, most: 9 },
      ),
    );
    tidy(() => {
      for (const withQuery of ['before', 'after'] as const) {
        expectFiniteDifferences(op({ withQuery, mask: randomMask([2, 3, 5], 4) }), operands([2, 3, 4], 5, 3, 1));
      }
    });
  });

  test('beyond the blocks of the matrix product', () => {
    tidy(() => {
      const mask = randomMask([2, 70, 300], 1, 0.9);
      expectSame(op({ mask }), reference({ mask }), operands([2, 70, 600], 300, 270, 1, 0.2));
    });
  });

  test('where keys and values are one tensor', () => {
    const shared =
      (run: typeof op): Op =>
      (q, m) =>
        run()(q!, m!, m!);
    tidy(() => expectSame(shared(op), shared(reference), operands([2, 3, 5], 4, 5, 1).slice(0, 2)));
  });

  test("on tfjs' cpu backend, where the reference runs", async () => {
    const run = () => {
      const results = tidy(() => {
        const options = { mask: randomMask([2, 3, 5], 2), dropout: { rate: 0.4, key, stream: 1 } };
        const inputs = operands([2, 3, 4], 5, 6, 1);
        return [...(op(options, 2)(...inputs) as Tensor[]), ...gradientsOf(op(options), inputs)];
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
    const mask = randomMask([2, 3, 5], 4);
    expectFiniteDifferences(op({ scale: 0.8, mask }), operands([2, 3, 4], 5, 3, 1));
    expectFiniteDifferences(op({ dropout: { rate: 0.3, key, stream: 1 } }, 2), operands([2, 3, 4], 5, 6, 2));
  });
});

test('a query that may attend nothing has zero context, weights and gradients', () => {
  tidy(() => {
    const mask = tensor([0, 0, 0, 0, 0, 1, 1, 0], [2, 4], 'bool');
    const inputs = operands([2, 3, 6], 4, 5, 1, 100);
    const zero = (x: Tensor) =>
      x
        .dataSync()
        .slice(0, x.size / 2)
        .every((value) => value === 0);
    for (const x of [...(op({ mask })(...inputs) as Tensor[]), ...gradientsOf(op({ mask }), inputs)]) {
      expect(zero(x)).toBe(true);
      expect(x.dataSync().every(Number.isFinite)).toBe(true);
    }
  });
});

test('masked weights are exactly zero and rows sum to one, however large the scores', () => {
  for (const reach of [1e-3, 1, 30, 1e4, 1e15]) {
    tidy(() => {
      const mask = randomMask([3, 4, 9], 5, 0.7);
      const { weights } = dotAttention(
        randomTensor([3, 4, 8], 1, -reach, reach),
        randomTensor([3, 9, 8], 2),
        randomTensor([3, 9, 2], 3),
        { mask },
      );
      const [w, allowed] = [weights.dataSync(), mask.dataSync()];
      for (const [i, weight] of w.entries()) if (!allowed[i]) expect(weight).toBe(0);
      const rows = tidy(() => sum(weights, -1).dataSync());
      const some = (row: number) => allowed.slice(9 * row, 9 * row + 9).some((x) => x);
      expectClose(
        rows,
        Float32Array.from(rows, (_, row) => (some(row) ? 1 : 0)),
        1e-6,
      );
    });
  }
});

test('what is masked at the end of a row does not matter, be it infinite', () => {
  tidy(() => {
    const [q, k, v] = operands([1, 2, 4], 3, 2, 1) as [Tensor, Tensor, Tensor];
    const mask = tensor([1, 1, 0], [1, 3], 'bool');
    const spoil = (x: Tensor) => {
      const values = x.dataSync().slice();
      values.fill(Number.POSITIVE_INFINITY, (values.length / 3) * 2);
      return tensor(values, x.shape);
    };
    const [clean, spoilt] = [dotAttention(q, k, v, { mask }), dotAttention(q, spoil(k), spoil(v), { mask })];
    expectClose(spoilt.context, clean.context, 0);
    expectClose(spoilt.weights, clean.weights, 0);
  });
});

test('sizes of zero give empty or zero outputs and gradients', () => {
  expectNoTensorsLeft(() =>
    forSizes(
      'BTSAM',
      ({ B, T, S, A, M }) =>
        tidy(() => {
          const inputs = operands([B, T, A], S, M, 1);
          const [context, weights] = op({ mask: randomMask([B, S], 2) })(...inputs) as [Tensor, Tensor];
          expect([context.shape, weights.shape]).toEqual([
            [B, T, M],
            [B, T, S],
          ]);
          if (S === 0) expect(context.dataSync().every((x) => x === 0)).toBe(true);
          for (const [i, d] of gradientsOf((q, k, v) => dotAttention(q!, k!, v!).context, inputs).entries()) {
            expect(d.shape).toEqual(inputs[i]!.shape);
            if (S === 0 || T === 0) expect(d.dataSync().every((x) => x === 0)).toBe(true);
          }
        }),
      { runs: 60, most: 2 },
    ),
  );
});

test('heads read and write their own columns', () => {
  tidy(() => {
    const [q, k, v] = operands([2, 3, 8], 5, 12, 1) as [Tensor, Tensor, Tensor];
    const { context, weights } = multiHeadDotAttention(q, k, v, 4);
    expect([context.shape, weights.shape]).toEqual([
      [2, 3, 12],
      [2, 4, 3, 5],
    ]);
    const parts = [q, k, v].map((x) => split(x, 4, 2)) as [Tensor[], Tensor[], Tensor[]];
    for (const [h, columns] of split(context, 4, 2).entries()) {
      const alone = dotAttention(parts[0][h]!, parts[1][h]!, parts[2][h]!);
      expectClose(columns, alone.context, 1e-6);
      expectClose(reshape(split(weights, 4, 1)[h]!, [2, 3, 5]), alone.weights, 1e-6);
    }
  });
});

test('dropout changes the context, leaves the weights whole and repeats for the same key', () => {
  tidy(() => {
    const inputs = operands([4, 3, 8], 6, 8, 1) as [Tensor, Tensor, Tensor];
    const at = (rowOffset: number) =>
      dotAttention(...inputs, { dropout: { rate: 0.5, key: { ...key, rowOffset }, stream: 1 } });
    const whole = dotAttention(...inputs);
    expectClose(at(0).weights, whole.weights, 0);
    expectClose(at(0).context, at(0).context, 0);
    expect(() => expectClose(at(0).context, whole.context, 0.01)).toThrow();
    expect(() => expectClose(at(4).context, at(0).context, 0.01)).toThrow();
  });
});

test('what dropout drops is the same in a part of the batch, and padded further', () => {
  tidy(() => {
    const [q, k, v] = operands([4, 3, 8], 6, 8, 1) as [Tensor, Tensor, Tensor];
    const dropout = { rate: 0.5, key, stream: 1 };
    const whole = multiHeadDotAttention(q, k, v, 2, { dropout });
    const part = (x: Tensor) => slice(x, [2, 0, 0]);
    const later = { ...dropout, key: { ...key, rowOffset: key.rowOffset + 2 } };
    expectClose(multiHeadDotAttention(part(q), part(k), part(v), 2, { dropout: later }).context, part(whole.context));
    const padded = (x: Tensor) =>
      pad(x, [
        [0, 0],
        [0, 5],
        [0, 0],
      ]);
    const mask = tensor(
      new Uint8Array(44).map((_, at) => (at % 11 < 6 ? 1 : 0)),
      [4, 11],
      'bool',
    );
    const wide = multiHeadDotAttention(padded(q), padded(k), padded(v), 2, { dropout, mask });
    expectClose(slice(wide.context, [0, 0, 0], [4, 3, 8]), whole.context);
  });
});

test('says which operand does not fit', () => {
  tidy(() => {
    const [q, k, v] = operands([2, 3, 4], 5, 6, 1) as [Tensor, Tensor, Tensor];
    const mask = (shape: number[]) => ({ mask: randomMask(shape, 1) });
    expect(() => dotAttention(tensor([1]), k, v)).toThrow('dotAttention: query must be [B,A] or [B,T,A]; got [1]');
    expect(() => dotAttention(q, v, v)).toThrow('dotAttention: keys must be [2,S,4], as query is [2,3,4]; got [2,5,6]');
    expect(() => dotAttention(q, k, q)).toThrow(
      'dotAttention: values must be [2,5,M], as keys are [2,5,4]; got [2,3,4]',
    );
    expect(() => dotAttention(q, k, v, mask([2, 4]))).toThrow('mask must be [2,5] or [2,3,5]; got [2,4]');
    expect(() => dotAttention(q, k, v, mask([2, 2, 5]))).toThrow('mask must be [2,5] or [2,3,5]; got [2,2,5]');
    expect(() => dotAttention(q, k, v, { mask: randomTensor([2, 5], 1) })).toThrow(
      'mask must be bool, true = attend; got float32',
    );
    expect(() => dotAttention(q, k, v, { withQuery: 'beside' as 'after' })).toThrow(
      "dotAttention: withQuery must be 'before' or 'after'; got beside",
    );
    expect(() => multiHeadDotAttention(q, k, v, 4)).toThrow('heads must divide the widths 4 and 6; got 4');
    const dropout = { rate: 1, key, stream: 1 };
    expect(() => dotAttention(q, k, v, { dropout })).toThrow('dotAttention: dropout.rate must be in [0, 1); got 1');
  });
});
