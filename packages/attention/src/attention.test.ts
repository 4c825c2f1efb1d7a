// What holds for every score.
import { add, concat, grads, mul, sum, type Tensor, tensor, tensor3d, tidy } from '@tensorflow/tfjs-core';
import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import {
  expectClose,
  expectNoTensorsLeft,
  gradientsOf,
  randomMask,
  randomTensor,
} from '../../tensor-ops/src/testing/index.js';
import { type Attention, createAttention, lengthMask, MultiHeadAttention, scoreNames, useBackend } from './index.js';

const SIZE = 6;

beforeAll(async () => {
  expect((await useBackend()).name).toBe('wasm');
});

describe.each(scoreNames)('%s', (score) => {
  const make = (): Attention =>
    createAttention({
      score,
      querySize: SIZE,
      memorySize: SIZE,
      hiddenSize: 5,
      seed: 1,
      ...(score === 'multi-head' && { numHeads: 2 }),
    });

  test('rows of weights sum to one, or are zero where nothing may be attended; masked weights are exactly zero', () => {
    expectNoTensorsLeft(() => {
      const attention = make();
      const sizes = fc.record({
        B: fc.integer({ min: 1, max: 4 }),
        T: fc.integer({ min: 1, max: 9 }),
        S: fc.integer({ min: 1, max: 19 }),
      });
      fc.assert(
        fc.property(sizes, fc.nat(1000), fc.double({ min: 0.01, max: 100, noNaN: true }), ({ B, T, S }, seed, scale) =>
          tidy(() => {
            const mask = randomMask(seed % 2 ? [B, S] : [B, T, S], seed, 0.4);
            const query = randomTensor([B, T, SIZE], seed + 1, -scale, scale);
            const memory = attention.project(randomTensor([B, S, SIZE], seed + 2, -scale, scale));
            const weights = attention.attend(query, memory, { mask }).weights.dataSync();
            const allowed = mask.dataSync();
            for (let row = 0; row < B * T; row++) {
              const from = (mask.rank === 2 ? Math.floor(row / T) : row) * S;
              const some = allowed.slice(from, from + S).some((x) => x);
              let total = 0;
              for (let s = 0; s < S; s++) {
                const weight = weights[row * S + s]!;
                if (!allowed[from + s]) expect(weight).toBe(0);
                expect(weight).toBeGreaterThanOrEqual(0);
                total += weight;
              }
              expect(Math.abs(total - (some ? 1 : 0))).toBeLessThan(1e-5);
            }
          }),
        ),
        { numRuns: 40, seed: 5 },
      );
      attention.dispose();
    });
  });

  test('the query stands before or after its context where asked for', () => {
    tidy(() => {
      const attention = make();
      const memory = attention.project(randomTensor([2, 4, SIZE], 2));
      for (const query of [randomTensor([2, 3, SIZE], 1), randomTensor([2, SIZE], 1)]) {
        const { context, weights } = attention.attend(query, memory);
        const beside = (withQuery: 'before' | 'after') => attention.attend(query, memory, { withQuery });
        expectClose(beside('before').context, concat([query, context], -1), 0);
        expectClose(beside('after').context, concat([context, query], -1), 0);
        expectClose(beside('after').weights, weights, 0);
        expect(() => beside('beside' as 'after')).toThrow("withQuery must be 'before' or 'after'; got beside");
      }
      attention.dispose();
    });
  });

  test('padding never changes context, weights or gradients', () => {
    tidy(() => {
      const attention = make();
      const query = randomTensor([2, 3, SIZE], 1);
      const memory = randomTensor([2, 4, SIZE], 2);
      const garbage = randomTensor([2, 3, SIZE], 3, -50, 50);
      const run = (q: Tensor, m: Tensor, mask?: Tensor) => attention.attend(q, attention.project(m), { mask });
      const alone = run(query, memory);
      const rows = (memory.arraySync() as number[][][]).map((row, b) => [
        ...row,
        ...(garbage.arraySync() as number[][][])[b]!,
      ]);
      const padded = run(query, tensor3d(rows), lengthMask([4, 4], 7));
      expectClose(padded.context, alone.context, 1e-6);
      const weights = (padded.weights.arraySync() as number[][][]).map((b) => b.map((row) => row.slice(0, 4)));
      expectClose(tensor3d(weights), alone.weights, 1e-6);

      const loss = (mask?: Tensor) => (q: Tensor, m: Tensor) => [run(q, m, mask).context];
      const [dq, dm] = gradientsOf(loss() as never, [query, memory]);
      const [dqPadded, dmPadded] = gradientsOf(loss(lengthMask([4, 4], 7)) as never, [query, tensor3d(rows)]);
      expectClose(dqPadded!, dq!, 1e-5);
      const [real, fill] = [0, 4].map((from) =>
        (dmPadded!.arraySync() as number[][][]).map((b) => b.slice(from, from === 0 ? 4 : 7)),
      );
      expectClose(tensor3d(real!), dm!, 1e-5);
      expect(
        tensor3d(fill!)
          .dataSync()
          .every((x) => x === 0),
      ).toBe(true);
      attention.dispose();
    });
  });

  test('a query that may attend nothing has zero weights and zero gradients, not NaN', () => {
    tidy(() => {
      const attention = make();
      const mask = tensor([1, 1, 0, 0, 0, 0], [2, 3], 'bool');
      const [query, memory] = [randomTensor([2, 2, SIZE], 1), randomTensor([2, 3, SIZE], 2)];
      const run = (q: Tensor, m: Tensor) => attention.attend(q, attention.project(m), { mask });
      const { context, weights } = run(query, memory);
      expect([...weights.dataSync().slice(6)]).toEqual(Array(6).fill(0));
      const second = [...context.dataSync().slice(2 * SIZE)];
      expect(second.every((x) => x === 0)).toBe(true); // multi-head: the output's bias, which starts at zero
      const d = grads((q: Tensor, m: Tensor) => {
        const y = run(q, m);
        return add(sum(mul(y.context, y.context)), sum(mul(y.weights, y.weights)));
      })([query, memory]);
      for (const g of d) expect(g.dataSync().every(Number.isFinite)).toBe(true);
      expect([...d[0]!.dataSync().slice(2 * SIZE)].every((x) => x === 0)).toBe(true);
      expect([...d[1]!.dataSync().slice(3 * SIZE)].every((x) => x === 0)).toBe(true);
      attention.dispose();
    });
  });

  test('one step at a time gives what all queries give at once', () => {
    tidy(() => {
      const attention = make();
      const query = randomTensor([2, 3, SIZE], 1);
      const memory = attention.project(randomTensor([2, 4, SIZE], 2));
      const mask = lengthMask([4, 2], 4);
      const together = attention.attend(query, memory, { mask });
      for (let t = 0; t < 3; t++) {
        const rows = (query.arraySync() as number[][][]).map((b) => b[t]!);
        const step = attention.attend(tensor(rows), memory, { mask });
        expect(step.context.shape).toEqual([2, attention.contextSize]);
        expect(step.weights.shape).toEqual([2, 4]);
        expectClose(step.context, tensor((together.context.arraySync() as number[][][]).map((b) => b[t]!)), 1e-5);
        expectClose(step.weights, tensor((together.weights.arraySync() as number[][][]).map((b) => b[t]!)), 1e-5);
      }
      attention.dispose();
    });
  });

  test('project and attend leave nothing behind but what they return', () => {
    expectNoTensorsLeft(() => {
      const attention = make();
      const [query, source] = [randomTensor([2, 3, SIZE], 1), randomTensor([2, 4, SIZE], 2)];
      const memory = attention.project(source);
      const { context, weights } = attention.attend(query, memory);
      const own = new Set([query, source, memory.keys, memory.values, context, weights]);
      for (const x of own) x.dispose();
      attention.dispose();
    });
  });

  test('says what shapes it wants', () => {
    tidy(() => {
      const attention = make();
      const name = attention.constructor.name;
      expect(() => attention.project(randomTensor([2, 4, 5], 1))).toThrow(
        `${name}.project: memory must be [B,S,6]; got [2,4,5]`,
      );
      const memory = attention.project(randomTensor([2, 4, SIZE], 1));
      expect(() => attention.attend(randomTensor([2, 3, 5], 1), memory)).toThrow(
        `${name}.attend: query must be [B,6] or [B,T,6]; got [2,3,5]`,
      );
      const query = randomTensor([2, 3, SIZE], 1);
      expect(() => attention.attend(query, memory, { coverage: randomTensor([2, 3, 4], 1) })).toThrow(
        `${name}.attend: this attention has no coverage term`,
      );
      attention.dispose();
    });
  });
});

describe.each(['additive', 'concat'] as const)('%s with coverage', (score) => {
  test('what has been attended changes the score, and the weight of coverage learns', () => {
    tidy(() => {
      const attention = createAttention({ score, querySize: 4, memorySize: 3, coverage: true, seed: 1 });
      const weight = attention.namedParameters().get('coverage_weight')!;
      const [query, source] = [randomTensor([1, 4], 1), randomTensor([1, 5, 3], 2)];
      const coverage = tensor([[0, 0, 3, 0, 0]]);
      const weights = (): Tensor => attention.attend(query, attention.project(source), { coverage }).weights;
      const before = weights();
      weight.assign(tensor(Array(4).fill(0.5)));
      expect(Math.abs(weights().dataSync()[2]! - before.dataSync()[2]!)).toBeGreaterThan(0.01);
      attention.dispose();
    });
  });

  test('takes queries without coverage too, as at the first step', () => {
    tidy(() => {
      const attention = createAttention({ score, querySize: 4, memorySize: 3, coverage: true, seed: 1 });
      const memory = attention.project(randomTensor([1, 5, 3], 2));
      const zero = tensor([[0, 0, 0, 0, 0]]);
      const query = randomTensor([1, 4], 1);
      expectClose(attention.attend(query, memory).weights, attention.attend(query, memory, { coverage: zero }).weights);
      attention.dispose();
    });
  });
});

describe('MultiHeadAttention with dropout', () => {
  test('drops only where it gets a key, the same for the same key, and returns whole weights', () => {
    tidy(() => {
      const attention = new MultiHeadAttention({ size: 8, numHeads: 2, dropout: 0.5, seed: 1 });
      const x = randomTensor([2, 5, 8], 1);
      const memory = attention.project(x);
      const at = (step: number) => attention.attend(x, memory, { dropout: { seed: 1, step, rowOffset: 0 } });
      const whole = attention.attend(x, memory);
      expectClose(at(1).weights, whole.weights, 0);
      expectClose(at(1).context, at(1).context, 0);
      expect(() => expectClose(at(1).context, whole.context, 0.01)).toThrow();
      expect(() => expectClose(at(2).context, at(1).context, 0.01)).toThrow();
      attention.dispose();
    });
    expect(() => new MultiHeadAttention({ size: 8, numHeads: 2, dropout: 1, seed: 1 })).toThrow(
      'MultiHeadAttention: dropout must be in [0, 1); got 1',
    );
  });
});

test('the weights of an nn.MultiheadAttention with add_bias_kv are refused by that name', () => {
  const attention = new MultiHeadAttention({ size: 8, numHeads: 2, seed: 1 });
  const dict = attention.stateDict();
  for (const name of ['bias_k', 'bias_v']) dict.set(name, { shape: [1, 1, 8], data: new Float32Array(8) });
  expect(() => attention.loadStateDict(dict)).toThrow(
    'MultiHeadAttention.loadStateDict: add_bias_kv must be false; got "bias_k" and "bias_v"',
  );
  attention.dispose();
});

describe('createAttention', () => {
  test('lists the known scores when asked for another', () => {
    const score = 'cosine' as 'dot';
    expect(() => createAttention({ score, querySize: 2, memorySize: 2, seed: 1 })).toThrow(
      'createAttention: score must be one of dot, scaled-dot, general, additive, concat, multi-head; got cosine',
    );
  });

  test('refuses forms that a score does not have', () => {
    const sizes = { querySize: 4, memorySize: 4, seed: 1 };
    expect(() => createAttention({ score: 'dot', coverage: true, ...sizes })).toThrow(
      'createAttention: coverage needs score additive or concat; got dot',
    );
    expect(() => createAttention({ score: 'general', normalized: true, ...sizes })).toThrow('normalized needs score');
    expect(() => createAttention({ score: 'multi-head', ...sizes })).toThrow('multi-head needs numHeads');
    expect(() => createAttention({ score: 'dot', querySize: 4, memorySize: 6, seed: 1 })).toThrow(
      'DotAttention: querySize and memorySize must be equal; got 4 and 6',
    );
    expect(() => new MultiHeadAttention({ size: 6, numHeads: 4, seed: 1 })).toThrow(
      'MultiHeadAttention: numHeads must divide size; got 4 heads for size 6',
    );
    expect(() => createAttention({ score: 'additive', querySize: 0, memorySize: 6, seed: 1 })).toThrow(
      'AdditiveAttention: querySize must be a positive whole number; got 0',
    );
    expect(() => createAttention({ score: 'concat', querySize: 4, memorySize: 6, hiddenSize: 0.5, seed: 1 })).toThrow(
      'ConcatAttention: hiddenSize must be a positive whole number; got 0.5',
    );
    expect(() => new MultiHeadAttention({ size: 6, numHeads: 2, valueSize: 0, seed: 1 })).toThrow('valueSize must be');
  });

  test('the same seed gives the same parameters, another seed others', () => {
    const values = (seed: number) => {
      const attention = createAttention({ score: 'additive', querySize: 3, memorySize: 4, hiddenSize: 5, seed });
      const dict = attention.stateDict();
      attention.dispose();
      return [...dict].flatMap(([name, { shape, data }]) => [name, ...shape, ...data]);
    };
    expect(values(1)).toEqual(values(1));
    expect(values(1)).not.toEqual(values(2));
  });
});
