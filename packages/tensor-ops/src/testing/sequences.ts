// What every recurrent sequence op must hold, said once for RNN, GRU and LSTM.
import {
  concat,
  expandDims,
  grad,
  reshape,
  reverse,
  type Scalar,
  slice,
  square,
  sum,
  type Tensor,
  type Tensor2D,
  type Tensor3D,
  tensor3d,
  tidy,
  valueAndGrad,
} from '@tensorflow/tfjs-core';
import { expect, test } from 'vitest';
import { useBackend } from '../backend.js';
import type { RecurrentWeights } from '../ops/recurrence/inputs.js';
import type { SequenceInput, SequenceState, TableSequence } from '../ops/recurrence/sequence-input.js';
import type { SequenceOptions } from '../ops/scan-sequence.js';
import { Random } from '../random.js';
import {
  expectClose,
  expectFiniteDifferences,
  expectNoTensorsLeft,
  expectSame,
  gradientsOf,
  type Op,
  randomTensor,
} from './compare.js';
import { testSequenceMisfits } from './sequence-misfits.js';
import { forSizes } from './sizes.js';

/** A sequence op with its states as a list; the output comes first in what it gives. */
export type SequenceOp = (
  x: SequenceInput,
  initial: SequenceState[] | null,
  weights: RecurrentWeights,
  options: SequenceOptions,
) => { output: Tensor; state: SequenceState[] };

/** Declares the tests of a sequence op with so many gates and states, beside its reference. */
export function testSequenceOp(ours: SequenceOp, reference: SequenceOp, gates: number, states: number): void {
  const op =
    (run: SequenceOp, options: SequenceOptions): Op =>
    (x, weightIh, weightHh, biasIh, biasHh, ...initial) => {
      const weights = { weightIh, weightHh, biasIh, biasHh } as RecurrentWeights;
      const start = initial.length > 0 ? (initial as SequenceState[]) : null;
      const { output, state } = run(x as Tensor3D, start, weights, options);
      return [output, ...state];
    };
  const inputs = (B: number, T: number, I: number, H: number, seed: number, scale = 1): Tensor[] => {
    const G = gates * H;
    const shapes = [[B, T, I], [G, I], [G, H], [G], [G], ...Array(states).fill([B, H])] as number[][];
    return shapes.map((shape, i) => randomTensor(shape, seed + i, -scale, scale));
  };
  const someLengths = (B: number, T: number, seed: number): number[] => {
    const random = new Random(seed);
    return Array.from({ length: B }, () => random.integer(T + 1));
  };
  const both = (lengths: number[]): SequenceOptions[] => [{ lengths }, { lengths, reverse: true }];

  test('runs on wasm', async () => {
    expect((await useBackend()).name).toBe('wasm');
  });

  test('equals the reference in every output and gradient, for all sizes', () => {
    forSizes(
      'BTIH',
      ({ B, T, I, H }, seed) => {
        const lengths = someLengths(B, T, seed);
        const options = [{}, { reverse: true }, ...both(lengths)][seed % 4]!;
        expectNoTensorsLeft(() =>
          tidy(() => void expectSame(op(ours, options), op(reference, options), inputs(B, T, I, H, seed, 0.5))),
        );
      },
      { runs: 60, least: 1, most: 13 },
    );
  });

  test('without rows or steps the state is the initial one, and no weight has a gradient', () => {
    for (const [B, T, H] of [
      [0, 3, 4],
      [3, 0, 4],
      [0, 0, 1],
    ] as const) {
      expectNoTensorsLeft(() =>
        tidy(() => {
          const all = inputs(B, T, 2, H, 1);
          const [output, ...state] = op(ours, {})(...all) as Tensor[];
          expect(output!.shape).toEqual([B, T, H]);
          for (const [i, s] of state.entries()) expectClose(s, all[5 + i]!, 0);
          const gradients = gradientsOf(op(ours, {}), all).slice(0, 5);
          for (const d of gradients) expect(d.dataSync().every((v) => v === 0)).toBe(true);
          const [same] = op(reference, {})(...all) as Tensor[];
          expect(same!.shape).toEqual([B, T, H]);
        }),
      );
    }
  });

  test('equals the reference for hidden sizes around the vector width, beyond one block, and for many steps', () => {
    for (const [B, T, I, H] of [
      [7, 5, 31, 33],
      [13, 4, 50, 17],
      [2, 3, 530, 66],
      [40, 12, 3, 5],
    ] as const) {
      for (const options of both(someLengths(B, T, H))) {
        tidy(() => expectSame(op(ours, options), op(reference, options), inputs(B, T, I, H, 5, 0.2), 1e-3));
      }
    }
  });

  test('equals the reference without biases and initial state', () => {
    const bare =
      (run: SequenceOp): Op =>
      (x, weightIh, weightHh) => {
        const { output, state } = run(x as Tensor3D, null, { weightIh, weightHh } as RecurrentWeights, {});
        return [output, ...state];
      };
    tidy(() => expectSame(bare(ours), bare(reference), inputs(3, 4, 5, 6, 1).slice(0, 3)));
  });

  test('rows of a table are as the same vectors at every step, in every output and gradient', () => {
    const fromTable =
      (run: SequenceOp, steps: Omit<TableSequence, 'table'>, options: SequenceOptions): Op =>
      (table, weightIh, weightHh, biasIh, biasHh, ...initial) => {
        const weights = { weightIh, weightHh, biasIh, biasHh } as RecurrentWeights;
        const start = initial.length > 0 ? (initial as Tensor2D[]) : null;
        const { output, state } = run({ table: table as Tensor2D, ...steps }, start, weights, options);
        return [output, ...state];
      };
    forSizes(
      'BTVIH',
      ({ B, T, V, I, H }, seed) => {
        const random = new Random(seed);
        const ids = Int32Array.from({ length: B * T }, () => random.integer(V));
        const steps = { ids, shape: [B, T] as const, paddingId: seed % 3 ? undefined : random.integer(V) };
        const [, ...rest] = inputs(B, T, I, H, seed, 0.5);
        const all = [randomTensor([V, I], seed), ...(seed % 2 ? rest : rest.slice(0, 4))];
        const options = [{}, { reverse: true }, ...both(someLengths(B, T, seed))][seed % 4]!;
        expectNoTensorsLeft(() =>
          tidy(() => void expectSame(fromTable(ours, steps, options), fromTable(reference, steps, options), all)),
        );
      },
      { runs: 40, least: 1, most: 13 },
    );
    tidy(() => {
      const all = [randomTensor([6, 2], 1), ...inputs(2, 3, 2, 3, 2, 0.8).slice(1)];
      for (const ids of [Int32Array.of(1, 0, 1, 3, 3, 3), Int32Array.of(1, 0, 2, 3, 5, 3)]) {
        expectFiniteDifferences(fromTable(ours, { ids, shape: [2, 3] }, { lengths: [3, 2] }), all);
      }
    });
  });

  test('one step may come without its axis, and states with that of layers', () => {
    const shaped =
      (run: SequenceOp, options: SequenceOptions): Op =>
      (x, weightIh, weightHh, biasIh, biasHh, ...initial) => {
        const weights = { weightIh, weightHh, biasIh, biasHh } as RecurrentWeights;
        const layered = initial.map((state) => expandDims(state!, 0) as Tensor3D);
        const { output, state } = run(x as SequenceInput, layered, weights, options);
        expect([output.rank, ...state.map(({ rank }) => rank)]).toEqual([x!.rank, ...state.map(() => 3)]);
        return [output, ...state];
      };
    forSizes(
      'BIH',
      ({ B, I, H }, seed) => {
        const options = seed % 2 ? {} : { lengths: someLengths(B, 1, seed) };
        const all = inputs(B, 1, I, H, seed, 0.5);
        const one = [reshape(all[0]!, [B, I]), ...all.slice(1)];
        expectNoTensorsLeft(() =>
          tidy(() => {
            expectSame(shaped(ours, options), shaped(reference, options), one);
            const [output, ...state] = shaped(ours, options)(...one) as Tensor[];
            const [whole, ...last] = op(ours, options)(...all) as Tensor[];
            expectClose(output!, reshape(whole!, [B, H]), 0);
            for (const [i, s] of state.entries()) expectClose(s, reshape(last[i]!, [1, B, H]), 0);
          }),
        );
        for (const tensor of all) tensor.dispose();
        one[0]!.dispose();
      },
      { runs: 20, least: 1, most: 9 },
    );
    tidy(() => expectSame(shaped(ours, {}), shaped(reference, {}), inputs(3, 4, 5, 6, 1)));
  });

  test('without an initial state the first step adds nothing to the recurrent weights', () => {
    for (const options of [{}, { reverse: true }, ...both([2, 0, 3]), ...both([3, 2, 3])]) {
      tidy(() => {
        const bare = inputs(3, 3, 2, 3, 2, 0.8).slice(0, 5);
        expectSame(op(ours, options), op(reference, options), bare);
        expectFiniteDifferences(op(ours, options), bare);
      });
    }
  });

  test('finite differences agree', () => {
    for (const options of [{}, ...both([2, 0, 3])]) {
      tidy(() => expectFiniteDifferences(op(ours, options), inputs(3, 3, 2, 3, 2, 0.8)));
    }
  });

  test('padding never changes anything, whatever it holds', () => {
    tidy(() => {
      const [B, T, I, H] = [3, 6, 4, 5];
      const [x, ...rest] = inputs(B, T, I, H, 3) as [Tensor3D, ...Tensor[]];
      const lengths = [4, 2, 3];
      for (const direction of [false, true]) {
        const run = (x: Tensor) => op(ours, { lengths, reverse: direction })(x, ...rest) as Tensor[];
        const expected = run(x);
        const actual = run(withPadding(x, lengths, Number.NaN));
        for (const [i, y] of expected.entries()) expect(actual[i]!.dataSync()).toEqual(y.dataSync());
        const gradients = gradientsOf(op(ours, { lengths, reverse: direction }), [x, ...rest]);
        const padded = gradientsOf(op(ours, { lengths, reverse: direction }), [
          withPadding(x, lengths, Number.NaN),
          ...rest,
        ]);
        for (const [i, d] of gradients.entries()) expect(padded[i]!.dataSync()).toEqual(d.dataSync());
      }
    });
  });

  test('outputs and their gradients are zero after a row ends; its state is that of its last real step', () => {
    tidy(() => {
      const all = inputs(3, 5, 4, 6, 4);
      const lengths = [3, 0, 5];
      const [output, ...state] = op(ours, { lengths })(...all) as [Tensor3D, ...Tensor[]];
      expect(
        slice(output, [0, 3, 0], [1, 2, 6])
          .dataSync()
          .every((v) => v === 0),
      ).toBe(true);
      expect(
        slice(output, [1, 0, 0], [1, 5, 6])
          .dataSync()
          .every((v) => v === 0),
      ).toBe(true);
      expectClose(slice(state[0]!, [0, 0], [1, 6]).dataSync(), slice(output, [0, 2, 0], [1, 1, 6]).dataSync(), 0);
      for (const [i, s] of state.entries()) {
        expectClose(slice(s, [1, 0], [1, 6]), slice(all[5 + i]!, [1, 0], [1, 6]), 0, 'state of an empty row');
      }
      const [dx] = gradientsOf(op(ours, { lengths }), all);
      expect(
        slice(dx!, [0, 3, 0], [1, 2, 4])
          .dataSync()
          .every((v) => v === 0),
      ).toBe(true);
    });
  });

  test('batch-mates never change a row', () => {
    tidy(() => {
      const [x, wi, wh, bi, bh, ...initial] = inputs(5, 6, 4, 7, 5) as Five;
      const lengths = [2, 6, 0, 4, 4];
      for (const direction of [false, true]) {
        const together = op(ours, { lengths, reverse: direction })(x, wi, wh, bi, bh, ...initial) as Tensor[];
        for (const [b, length] of lengths.entries()) {
          const row = (t: Tensor): Tensor => slice(t, [b, ...Array(t.rank - 1).fill(0)], [1, ...t.shape.slice(1)]);
          const options = { lengths: [length], reverse: direction };
          const alone = op(ours, options)(row(x), wi, wh, bi, bh, ...initial.map(row)) as Tensor[];
          for (const [i, y] of together.entries()) expectClose(alone[i]!, row(y), 1e-6, `row ${b}, output ${i}`);
        }
      }
    });
  });

  test('running in reverse is running on reversed data', () => {
    tidy(() => {
      const [x, ...rest] = inputs(2, 5, 3, 6, 6) as [Tensor3D, ...Tensor[]];
      const [output, ...state] = op(ours, { reverse: true })(x, ...rest) as [Tensor, ...Tensor[]];
      const [turned, ...same] = op(ours, {})(reverse(x, 1), ...rest) as [Tensor, ...Tensor[]];
      expectClose(output, reverse(turned, 1), 1e-6);
      for (const [i, s] of state.entries()) expectClose(s, same[i]!, 1e-6);
    });
  });

  test('two halves, the state handed on, are the whole', () => {
    tidy(() => {
      const [x, wi, wh, bi, bh, ...initial] = inputs(3, 7, 4, 5, 7) as Five;
      const [whole, ...last] = op(ours, {})(x, wi, wh, bi, bh, ...initial) as [Tensor, ...Tensor[]];
      const [first, ...middle] = op(ours, {})(slice(x, [0, 0, 0], [3, 4, 4]), wi, wh, bi, bh, ...initial) as [
        Tensor,
        ...Tensor[],
      ];
      const [second, ...end] = op(ours, {})(slice(x, [0, 4, 0], [3, 3, 4]), wi, wh, bi, bh, ...middle) as [
        Tensor,
        ...Tensor[],
      ];
      expectClose(concat([first, second], 1), whole, 1e-6);
      for (const [i, s] of last.entries()) expectClose(end[i]!, s, 1e-6);
    });
  });

  test('a sequence of 2,000 steps stays finite, forward and backward', () => {
    tidy(() => {
      const all = inputs(2, 2000, 3, 8, 8, 0.3);
      for (const d of gradientsOf(op(ours, {}), all)) expect(d.dataSync().every(Number.isFinite)).toBe(true);
    });
  });

  test('a gradient within a gradient of the same call is refused', () => {
    const [x, ...weights] = inputs(2, 3, 2, 3, 1);
    const squares = (x: Tensor) => {
      const [output] = op(ours, {})(x, ...weights) as Tensor[];
      return sum(square(output!)) as Scalar;
    };
    const twice = (x: Tensor) => valueAndGrad(squares)(x).value as Scalar;
    expect(() => tidy(() => grad(twice)(x!))).toThrow('Sequence: the gradient of one call can be taken once');
  });

  testSequenceMisfits(ours, () => inputs(2, 3, 4, 5, 9), states);
}

type Five = [Tensor, Tensor, Tensor, Tensor, Tensor, ...Tensor[]];

/** x with `value` in every step that is not real. */
function withPadding(x: Tensor3D, lengths: number[], value: number): Tensor3D {
  const [B, T, I] = x.shape;
  const data = x.dataSync().slice();
  for (let b = 0; b < B; b++) data.fill(value, (b * T + lengths[b]!) * I, (b + 1) * T * I);
  return tensor3d(data, x.shape);
}
