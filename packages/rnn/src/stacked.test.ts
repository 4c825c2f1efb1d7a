import { type DropoutKey, Random, SGD, useBackend, valueAndGradients } from '@seqloom/tensor-ops';
import {
  concat,
  memory,
  mul,
  onesLike,
  reshape,
  reverse,
  type Scalar,
  slice,
  sub,
  sum,
  type Tensor,
  type Tensor2D,
  type Tensor3D,
  tensor3d,
  tidy,
  zeros,
} from '@tensorflow/tfjs-core';
import { beforeAll, describe, expect, test } from 'vitest';
import { createRecurrent } from './create-recurrent.js';
import { GRU } from './gru.js';
import { LSTM } from './lstm.js';
import { RNN } from './rnn.js';
import type { Recurrent, RecurrentOptions } from './stacked.js';
import type { RecurrentState } from './state.js';

const KINDS: Record<string, (options: RecurrentOptions) => Recurrent> = {
  RNN: (options) => new RNN(options),
  'RNN with relu': (options) => new RNN({ ...options, nonlinearity: 'relu' }),
  GRU: (options) => new GRU(options),
  'GRU, reset before': (options) => new GRU({ ...options, resetAfter: false }),
  'GRU, layer-normalised': (options) => new GRU({ ...options, layerNorm: true }),
  LSTM: (options) => new LSTM(options),
  'LSTM with peepholes': (options) => new LSTM({ ...options, peephole: true }),
  'LSTM, layer-normalised': (options) => new LSTM({ ...options, layerNorm: true }),
};
const SIZES = { inputSize: 3, hiddenSize: 5, seed: 7 };
const KEY: DropoutKey = { seed: 1, step: 2, rowOffset: 0 };

beforeAll(async () => {
  await useBackend();
});

function sequence(B: number, T: number, I: number, seed = 1): Tensor3D {
  const random = new Random(seed);
  return tensor3d(
    Float32Array.from({ length: B * T * I }, () => random.uniform(-1, 1)),
    [B, T, I],
  );
}

function close(actual: Tensor, expected: Tensor, limit = 1e-6): void {
  expect(actual.shape).toEqual(expected.shape);
  const [a, e] = [actual.dataSync<'float32'>(), expected.dataSync<'float32'>()];
  for (let i = 0; i < e.length; i++) expect(Math.abs(a[i]! - e[i]!)).toBeLessThanOrEqual(limit);
}

const parts = ({ hidden, cell }: RecurrentState): Tensor3D[] => (cell ? [hidden, cell] : [hidden]);

/** Runs `check` on the layers and frees them; nothing else may be left. */
function on(layers: Recurrent, check: (layers: Recurrent) => void): void {
  const before = memory().numTensors;
  tidy(() => check(layers));
  expect(memory().numTensors).toBe(before);
  layers.dispose();
}

describe.each(Object.entries(KINDS))('%s', (name, make) => {
  test('padding and batch-mates never change a row', () => {
    on(make({ ...SIZES, numLayers: 2, bidirectional: true }), (layers) => {
      const x = sequence(3, 6, 3);
      const lengths = [4, 6, 0];
      const together = layers.forward(x, { lengths });
      for (const [b, length] of lengths.entries()) {
        const alone = layers.forward(slice(x, [b, 0, 0], [1, length, 3]));
        close(slice(together.output, [b, 0, 0], [1, length, 10]), alone.output, 1e-5);
        close(slice(together.output, [b, length, 0], [1, 6 - length, 10]), zeros([1, 6 - length, 10]), 0);
        for (const [i, s] of parts(together.state).entries()) {
          close(slice(s, [0, b, 0], [4, 1, 5]), parts(alone.state)[i]!, 1e-5);
        }
      }
    });
  });

  test('the reverse direction is the forward one on reversed data', () => {
    on(make({ ...SIZES, bidirectional: true }), (both) => {
      const one = make(SIZES);
      const weights = [...both.stateDict()].filter(([name]) => name.includes('_reverse'));
      one.loadStateDict(new Map(weights.map(([name, entry]) => [name.replace('_reverse', ''), entry])));
      const x = sequence(2, 5, 3);
      const back = slice(both.forward(x).output, [0, 0, 5], [2, 5, 5]);
      close(back, reverse(one.forward(reverse(x, 1)).output, 1));
      one.dispose();
    });
  });

  test('two halves, the state handed on, are the whole', () => {
    on(make({ ...SIZES, numLayers: 2, residual: true }), (layers) => {
      const x = sequence(2, 7, 3);
      const whole = layers.forward(x);
      const first = layers.forward(slice(x, [0, 0, 0], [2, 3, 3]));
      const second = layers.forward(slice(x, [0, 3, 0], [2, 4, 3]), { initialState: first.state });
      close(concat([first.output, second.output], 1), whole.output);
      for (const [i, s] of parts(whole.state).entries()) close(parts(second.state)[i]!, s);
    });
  });

  test('step by step gives what the whole sequence gives', () => {
    on(make({ ...SIZES, numLayers: 2 }), (layers) => {
      const x = sequence(2, 4, 3);
      const whole = layers.forward(x);
      let { state } = layers.forward(slice(x, [0, 0, 0], [2, 1, 3]));
      for (let t = 1; t < 4; t++) {
        const step = layers.step(reshape(slice(x, [0, t, 0], [2, 1, 3]), [2, 3]), state);
        close(step.output, reshape(slice(whole.output, [0, t, 0], [2, 1, 5]), [2, 5]));
        state = step.state;
      }
      for (const [i, s] of parts(whole.state).entries()) close(parts(state)[i]!, s);
    });
  });

  test('prepared weights give the same steps, whatever becomes of the parameters', () => {
    on(make({ ...SIZES, numLayers: 2 }), (layers) => {
      const x = reshape(sequence(2, 1, 3), [2, 3]) as Tensor2D;
      const { state } = layers.forward(sequence(2, 3, 3));
      const expected = layers.step(x, state);
      let prepared = layers.prepare();
      prepared.dispose();
      tidy(() => {
        prepared = layers.prepare();
      });
      const actual = layers.step(x, state, { prepared });
      close(actual.output, expected.output);
      for (const [i, s] of parts(expected.state).entries()) close(parts(actual.state)[i]!, s);
      if (!/peepholes|layer-normalised/.test(name)) {
        // those have no layout of their own
        const optimizer = new SGD(layers.parameters(), { learningRate: 1 });
        optimizer.step(layers.parameters().map((p) => onesLike(p)));
        optimizer.dispose();
        close(layers.step(x, state, { prepared }).output, expected.output);
      }
      prepared.dispose();
    });
  });

  test('weights that other layers prepared, or disposed ones, are refused', () => {
    on(make(SIZES), (layers) => {
      const [x, state] = [sequence(2, 1, 3), layers.forward(sequence(2, 1, 3)).state];
      const step = reshape(x, [2, 3]) as Tensor2D;
      on(make(SIZES), (others) => {
        const prepared = others.prepare();
        const message = "prepared must come from these layers' own prepare()";
        expect(() => layers.forward(x, { prepared })).toThrow(`.forward: ${message}`);
        expect(() => layers.step(step, state, { prepared })).toThrow(`.step: ${message}`);
        prepared.dispose();
      });
      const prepared = layers.prepare();
      prepared.dispose();
      expect(() => layers.step(step, state, { prepared })).toThrow('.step: prepared has been disposed');
    });
  });

  test('prepared weights give the same whole sequences, both ways and with lengths, and step after step', () => {
    on(make({ ...SIZES, numLayers: 2, bidirectional: true }), (layers) => {
      const prepared = layers.prepare();
      for (const T of [1, 2, 7]) {
        const [x, lengths] = [sequence(3, T, 3), [T, 0, Math.ceil(T / 2)]];
        const [expected, actual] = [layers.forward(x, { lengths }), layers.forward(x, { lengths, prepared })];
        close(actual.output, expected.output);
        for (const [i, s] of parts(expected.state).entries()) close(parts(actual.state)[i]!, s);
      }
      prepared.dispose();
    });
  });

  test('every parameter has a gradient, and none is left behind', () => {
    on(make({ ...SIZES, numLayers: 2, bidirectional: true, dropout: 0.2, residual: true }), (layers) => {
      const x = sequence(3, 4, 3);
      const { gradients } = valueAndGradients(() => {
        const { output, state } = layers.forward(x, { lengths: [2, 4, 3], dropout: KEY });
        return sum(concat([output, ...parts(state)].map((t) => reshape(mul(t, t), [-1])))) as Scalar;
      }, layers.parameters());
      for (const [i, name] of [...layers.namedParameters().keys()].entries()) {
        const values = gradients[i]!.dataSync<'float32'>();
        expect(values.every(Number.isFinite), name).toBe(true);
        expect(
          values.some((v) => v !== 0),
          name,
        ).toBe(true);
      }
    });
  });

  test('a state dict goes out and in', () => {
    on(make({ ...SIZES, numLayers: 2 }), (layers) => {
      const other = make({ ...SIZES, numLayers: 2, seed: 99 });
      const x = sequence(2, 3, 3);
      expect(other.forward(x).output.dataSync()).not.toEqual(layers.forward(x).output.dataSync());
      other.loadStateDict(layers.stateDict());
      expect(other.forward(x).output.dataSync()).toEqual(layers.forward(x).output.dataSync());
      other.dispose();
    });
  });
});

test("parameters have PyTorch's names, and biases can be left out", () => {
  const layers = new GRU({ ...SIZES, numLayers: 2, bidirectional: true });
  expect([...layers.namedParameters()].map(([name, { shape }]) => `${name} ${shape}`)).toEqual(
    [0, 1].flatMap((l) =>
      ['', '_reverse'].flatMap((side) => [
        `weight_ih_l${l}${side} 15,${l === 0 ? 3 : 10}`,
        `weight_hh_l${l}${side} 15,5`,
        `bias_ih_l${l}${side} 15`,
        `bias_hh_l${l}${side} 15`,
      ]),
    ),
  );
  layers.dispose();
  const bare = new LSTM({ ...SIZES, bias: false });
  expect([...bare.namedParameters().keys()]).toEqual(['weight_ih_l0', 'weight_hh_l0']);
  bare.dispose();
});

test('the weights of an LSTM with proj_size are refused by that name', () => {
  const lstm = new LSTM(SIZES);
  const dict = new LSTM(SIZES).stateDict().set('weight_hr_l0', { shape: [2, 5], data: new Float32Array(10) });
  expect(() => lstm.loadStateDict(dict)).toThrow(
    'LSTM.loadStateDict: proj_size must be 0; got the projection "weight_hr_l0"',
  );
  lstm.dispose();
});

test('the same seed gives the same weights, and no two parameters share theirs', () => {
  const [one, two] = [new LSTM({ ...SIZES, numLayers: 2 }), new LSTM({ ...SIZES, numLayers: 2 })];
  for (const [name, { data }] of one.stateDict()) expect(data).toEqual(two.stateDict().get(name)!.data);
  const firsts = [...one.stateDict().values()].map(({ data }) => data[0]);
  expect(new Set(firsts).size).toBe(firsts.length);
  one.dispose();
  two.dispose();
});

test('dropout acts between layers, only with a key, and the key decides it', () => {
  on(new GRU({ ...SIZES, numLayers: 2, dropout: 0.5 }), (layers) => {
    const x = sequence(2, 4, 3);
    const run = (dropout?: DropoutKey) => layers.forward(x, { dropout });
    const [plain, dropped, again, other] = [run(), run(KEY), run(KEY), run({ ...KEY, step: 3 })];
    expect(dropped.output.dataSync()).toEqual(again.output.dataSync());
    expect(dropped.output.dataSync()).not.toEqual(plain.output.dataSync());
    expect(dropped.output.dataSync()).not.toEqual(other.output.dataSync());
    close(slice(dropped.state.hidden, [0, 0, 0], [1, 2, 5]), slice(plain.state.hidden, [0, 0, 0], [1, 2, 5]), 0);
    const part = layers.forward(slice(x, [1, 0, 0], [1, 4, 3]), { dropout: { ...KEY, rowOffset: 1 } });
    close(part.output, slice(dropped.output, [1, 0, 0], [1, 4, 5]));
  });
});

test('a residual layer adds its input', () => {
  on(new GRU({ ...SIZES, numLayers: 2, residual: true }), (layers) => {
    const plain = new GRU({ ...SIZES, numLayers: 2 });
    const below = new GRU(SIZES);
    below.loadStateDict(new Map([...layers.stateDict()].filter(([name]) => name.includes('_l0'))));
    const x = sequence(2, 4, 3);
    const difference = sub(layers.forward(x).output, plain.forward(x).output);
    close(difference, below.forward(x).output);
    plain.dispose();
    below.dispose();
  });
});

test('what does not fit is named', () => {
  on(new LSTM(SIZES), (lstm) => {
    const state = (rows: number) => zeros([1, rows, 5]) as Tensor3D;
    const x = sequence(2, 4, 3);
    expect(() => lstm.forward(sequence(2, 4, 2))).toThrow('LSTM.forward: x must be [B, T, 3]; got [2,4,2]');
    expect(() => lstm.forward(x, { lengths: [5, 1] })).toThrow(
      /lengths must be whole numbers in \[0, 4\]; got 5 for row 0/,
    );
    expect(() => lstm.forward(x, { lengths: [1] })).toThrow(/one number for each of the 2 rows; got 1/);
    expect(() => lstm.forward(x, { initialState: { hidden: state(2) } })).toThrow(/the state must have a cell/);
    expect(() => lstm.forward(x, { initialState: { hidden: state(3), cell: state(3) } })).toThrow(
      /the hidden state must be \[1,2,5\]; got \[1,3,5\]/,
    );
    expect(() => lstm.step(zeros([2, 4]) as Tensor2D, { hidden: state(2), cell: state(2) })).toThrow(
      /x must be \[B, 3\]/,
    );
  });
  on(new GRU({ ...SIZES, bidirectional: true }), (gru) => {
    const state = zeros([2, 1, 5]) as Tensor3D;
    expect(() => gru.step(zeros([1, 3]) as Tensor2D, { hidden: state })).toThrow(
      'GRU.step: a bidirectional GRU cannot go step by step',
    );
    expect(() => gru.forward(sequence(1, 2, 3), { initialState: { hidden: state, cell: state } })).toThrow(
      /must not have a cell/,
    );
  });
  expect(() => new GRU({ ...SIZES, numLayers: 0 })).toThrow('GRU: numLayers must be a whole number above 0; got 0');
  expect(() => new GRU({ ...SIZES, hiddenSize: 2.5 })).toThrow(/hiddenSize must be a whole number above 0; got 2.5/);
  expect(() => new GRU({ ...SIZES, dropout: 1 })).toThrow(/dropout must be in \[0, 1\); got 1/);
  expect(() => new GRU({ ...SIZES, resetAfter: false, layerNorm: true })).toThrow(/layerNorm needs resetAfter/);
  expect(() => createRecurrent({ cell: 'qrnn', ...SIZES } as unknown as Parameters<typeof createRecurrent>[0])).toThrow(
    'createRecurrent: cell must be rnn, gru or lstm; got qrnn',
  );
});
