// fixtures/make_fixtures.py computed every output and gradient here in PyTorch.
import { readFileSync } from 'node:fs';
import type { StateDict } from '@seqloom/tensor-ops';
import {
  add,
  mul,
  type Scalar,
  sum,
  type Tensor,
  tensor,
  tidy,
  type Variable,
  variable,
  variableGrads,
} from '@tensorflow/tfjs-core';
import { beforeAll, describe, expect, test } from 'vitest';
import { expectClose, expectNoTensorsLeft } from '../../tensor-ops/src/testing/index.js';
import { type Attention, createAttention, MultiHeadAttention, type ScoreName, useBackend } from './index.js';

interface Numbers {
  shape: number[];
  data: number[];
}

interface Case {
  inputs: Record<string, Numbers>;
  parameters: Record<string, Numbers>;
  mask?: Numbers;
  context: Numbers;
  weights: Numbers;
  dContext: Numbers;
  dWeights: Numbers;
  gradients: Record<string, Numbers>;
}

type ScoreCase = Case & {
  score: ScoreName;
  form: string[];
  querySize: number;
  memorySize: number;
  hiddenSize: number;
};

type MultiHeadCase = Case & {
  name: string;
  size: number;
  numHeads: number;
  keySize: number;
  valueSize: number;
  bias: boolean;
  headWeights: Numbers;
};

const read = <T>(name: string): T[] =>
  JSON.parse(readFileSync(new URL(`../fixtures/${name}`, import.meta.url), 'utf8'));
const float = ({ shape, data }: Numbers): Tensor => tensor(data, shape, 'float32');
const bool = ({ shape, data }: Numbers): Tensor => tensor(data, shape, 'bool');

function stateDict(parameters: Record<string, Numbers>): StateDict {
  return new Map(Object.entries(parameters).map(([name, p]) => [name, { ...p, data: Float32Array.from(p.data) }]));
}

/** Outputs within 1e-5 and every gradient, of inputs and of parameters, within 1e-4. */
function expectPyTorch(
  attention: Attention,
  expected: Case,
  run: (inputs: Record<string, Tensor>, mask: Tensor | undefined) => { context: Tensor; weights: Tensor },
): void {
  expectNoTensorsLeft(() => {
    const inputs: Record<string, Variable> = {};
    for (const [name, x] of Object.entries(expected.inputs)) inputs[name] = tidy(() => variable(float(x)));
    const mask = expected.mask && bool(expected.mask);
    tidy(() => {
      const { context, weights } = run(inputs, mask);
      expectClose(context, float(expected.context), 1e-5, 'context');
      expectClose(weights, float(expected.weights), 1e-5, 'weights');
    });
    const parameters = attention.namedParameters();
    const loss = () => {
      const { context, weights } = run(inputs, mask);
      return add(sum(mul(context, float(expected.dContext))), sum(mul(weights, float(expected.dWeights)))) as Scalar;
    };
    tidy(() => {
      const { grads } = variableGrads(loss, [...Object.values(inputs), ...parameters.values()]);
      const leaves = Object.entries({ ...inputs, ...Object.fromEntries(parameters) });
      expect(leaves.map(([name]) => name).sort()).toEqual(Object.keys(expected.gradients).sort());
      for (const [name, leaf] of leaves) {
        const zero = expected.gradients[name]!.data.every((x) => x === 0);
        const actual = grads[leaf.name] ?? (zero ? tensor(expected.gradients[name]!.data, leaf.shape) : undefined);
        expectClose(actual!, float(expected.gradients[name]!), 1e-4, `gradient of ${name}`);
      }
    });
    for (const x of Object.values(inputs)) x.dispose();
    mask?.dispose();
  });
}

beforeAll(async () => {
  expect((await useBackend()).name).toBe('wasm');
});

describe('scores equal PyTorch, forward and in every gradient', () => {
  for (const expected of read<ScoreCase>('scores.json')) {
    const { score, form, mask, querySize, memorySize, hiddenSize } = expected;
    test([score, ...form, mask ? `mask [${mask.shape}]` : 'no mask'].join(', '), () => {
      const has = (name: string) => form.includes(name);
      const forms = { normalized: has('normalized'), coverage: has('coverage') };
      const attention = createAttention({ score, querySize, memorySize, hiddenSize, ...forms, seed: 1 });
      attention.loadStateDict(stateDict(expected.parameters));
      expectPyTorch(attention, expected, ({ query, memory, coverage }, mask) =>
        attention.attend(query!, attention.project(memory!), { mask, coverage }),
      );
      attention.dispose();
    });
  }
});

describe('MultiHeadAttention equals nn.MultiheadAttention, forward and in every gradient, with its state_dict', () => {
  for (const expected of read<MultiHeadCase>('multi-head.json')) {
    const { name, size, numHeads, keySize, valueSize, bias } = expected;
    test(`${name}, ${numHeads} heads`, () => {
      const attention = new MultiHeadAttention({ size, numHeads, keySize, valueSize, bias, seed: 1 });
      attention.loadStateDict(stateDict(expected.parameters));
      expectPyTorch(attention, expected, ({ query, keys = query, values = keys }, mask) =>
        attention.attend(query!, attention.project(keys!, values), { mask }),
      );
      tidy(() => {
        const [query, keys, values] = ['query', 'keys', 'values'].map(
          (input) => expected.inputs[input] && float(expected.inputs[input]),
        );
        const mask = expected.mask && bool(expected.mask);
        const memory = attention.project((keys ?? query)!, values ?? keys ?? query);
        const { weights } = attention.attendHeads(query!, memory, { mask });
        expectClose(weights, float(expected.headWeights), 1e-5, "the heads' weights");
      });
      attention.dispose();
    });
  }
});
