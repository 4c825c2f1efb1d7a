// Against PyTorch 1.13: fixtures/make.py says how the numbers were made.
import { readFile } from 'node:fs/promises';
import { type Parameter, readSafetensors, type StateDict, useBackend, valueAndGradients } from '@seqloom/tensor-ops';
import {
  add,
  mul,
  type Scalar,
  scalar,
  sum,
  type Tensor,
  type Tensor2D,
  type Tensor3D,
  tensor,
  tidy,
  variable,
} from '@tensorflow/tfjs-core';
import { beforeAll, describe, expect, test } from 'vitest';
import type { RecurrentCell } from './cell.js';
import { GRUCell } from './cells/gru.js';
import { LSTMCell } from './cells/lstm.js';
import { RNNCell } from './cells/rnn.js';
import { createRecurrent } from './create-recurrent.js';

const [I, H] = [3, 5];
const LENGTHS = [2, 4, 3];
const options = { inputSize: I, hiddenSize: H, seed: 1 };

const KINDS = {
  'rnn-tanh': { layer: { cell: 'rnn', nonlinearity: 'tanh' }, cell: () => new RNNCell(options) },
  'rnn-relu': {
    layer: { cell: 'rnn', nonlinearity: 'relu' },
    cell: () => new RNNCell({ ...options, nonlinearity: 'relu' }),
  },
  gru: { layer: { cell: 'gru' }, cell: () => new GRUCell(options) },
  lstm: { layer: { cell: 'lstm' }, cell: () => new LSTMCell(options) },
} as const;

let files: Record<string, StateDict>;

beforeAll(async () => {
  await useBackend();
  const read = async (kind: string) => {
    const bytes = await readFile(new URL(`../fixtures/${kind}.safetensors`, import.meta.url));
    return [kind, readSafetensors(new Uint8Array(bytes))] as const;
  };
  files = Object.fromEntries(await Promise.all(Object.keys(KINDS).map(read)));
});

/** The entries whose names begin with `prefix`, without it. */
function under(dict: StateDict, prefix: string): StateDict {
  const found = [...dict].filter(([name]) => name.startsWith(`${prefix}.`));
  return new Map(found.map(([name, entry]) => [name.slice(prefix.length + 1), entry]));
}

type Outputs = Record<string, Tensor>;

/** Runs a module that holds the fixture's parameters on its inputs and compares every output and gradient. */
function compare(
  dict: StateDict,
  prefix: string,
  run: string,
  module: { namedParameters(): Map<string, Parameter> },
  forward: (inputs: Outputs) => Outputs,
): void {
  const inputs = [...under(dict, `${prefix}.input`)].map(
    ([name, { shape, data }]) => [name, tidy(() => variable(tensor(data, shape)))] as const,
  );
  const expected = under(dict, `${prefix}.${run}`);
  const leaves = new Map([...inputs, ...module.namedParameters()]);
  tidy(() => {
    let outputs: Outputs = {};
    const loss = () => {
      outputs = forward(Object.fromEntries(inputs));
      const weighted = Object.entries(outputs).map(([name, y]) => {
        const { shape, data } = expected.get(`weight.${name}`)!;
        return sum(mul(y, tensor(data, shape)));
      });
      return weighted.reduce((total, term) => add(total, term), scalar(0)) as Scalar;
    };
    tidy(() => {
      loss();
      for (const [name, y] of Object.entries(outputs)) close(y, expected.get(name)!, 1e-5, name);
    });
    const { gradients } = valueAndGradients(loss, [...leaves.values()]);
    for (const [i, name] of [...leaves.keys()].entries()) {
      close(gradients[i]!, expected.get(`gradient.${name}`)!, 1e-4, `gradient of ${name}`);
    }
  });
  for (const [, input] of inputs) input.dispose();
}

function close(actual: Tensor, { shape, data }: { shape: number[]; data: Float32Array }, limit: number, name: string) {
  expect(actual.shape, name).toEqual(shape);
  const worst = actual.dataSync<'float32'>().reduce((most, value, i) => Math.max(most, Math.abs(value - data[i]!)), 0);
  expect(worst, name).toBeLessThan(limit);
}

describe.each(Object.entries(KINDS))('%s', (kind, { layer, cell }) => {
  for (const numLayers of [1, 2]) {
    for (const bidirectional of [false, true]) {
      const prefix = `${numLayers}-${bidirectional ? 'bi' : 'uni'}`;
      for (const run of ['whole', 'lengths'] as const) {
        test(`matches PyTorch for ${numLayers} layer(s), ${bidirectional ? 'two directions' : 'one'}, ${run}`, () => {
          const dict = files[kind]!;
          const recurrent = createRecurrent({ ...layer, ...options, numLayers, bidirectional });
          recurrent.loadStateDict(under(dict, `${prefix}.parameter`));
          compare(dict, prefix, run, recurrent, ({ x, hidden, cell }) => {
            const { output, state } = recurrent.forward(x as Tensor3D, {
              lengths: run === 'lengths' ? LENGTHS : undefined,
              initialState: { hidden: hidden as Tensor3D, ...(cell && { cell: cell as Tensor3D }) },
            });
            return { output, ...(state as Outputs) };
          });
          recurrent.dispose();
        });
      }
    }
  }

  test('the cell alone matches PyTorch', () => {
    const dict = files[kind]!;
    const made: RecurrentCell = cell();
    made.loadStateDict(under(dict, 'cell.parameter'));
    compare(dict, 'cell', 'whole', made, ({ x, hidden, cell }) => {
      const state = { hidden: hidden as Tensor2D, ...(cell && { cell: cell as Tensor2D }) };
      return made.step(x as Tensor2D, state) as Outputs;
    });
    made.dispose();
  });
});
