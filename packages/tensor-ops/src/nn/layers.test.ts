import { readFileSync } from 'node:fs';
import {
  grad,
  memory,
  mul,
  type Scalar,
  sum,
  type Tensor,
  type Tensor1D,
  type Tensor2D,
  tensor,
  tensor1d,
  tensor2d,
  tidy,
} from '@tensorflow/tfjs-core';
import { beforeAll, expect, test } from 'vitest';
import { useBackend } from '../backend.js';
import { type CrossEntropyOptions, crossEntropy } from '../ops/cross-entropy.js';
import { everyStep } from '../ops/recurrence/sequence-input.js';
import { valueAndGradients } from '../optim/value-and-gradients.js';
import { expectClose, expectNoTensorsLeft, randomTensor } from '../testing/index.js';
import { Dropout } from './dropout.js';
import { Embedding } from './embedding.js';
import { LayerNorm } from './layer-norm.js';
import { Linear } from './linear.js';
import type { Module } from './module.js';

interface Packed {
  shape: number[];
  values: number[];
}

interface Fixture {
  crossEntropy: {
    logits: Packed;
    targets: number[];
    losses: { options: CrossEntropyOptions; loss: number; gradient: Packed }[];
  };
  layerNorm: { weight: Packed; bias: Packed; x: Packed; direction: Packed; y: Packed; gradients: Packed[] };
  linear: { weight: Packed; bias: Packed; x: Packed; direction: Packed; y: Packed; gradients: Packed[] };
  embedding: { weight: Packed; ids: number[][]; paddingId: number; direction: Packed; y: Packed; gradient: Packed };
}

const fixture: Fixture = JSON.parse(readFileSync(new URL('../../fixtures/layers.json', import.meta.url), 'utf8'));

beforeAll(async () => {
  expect((await useBackend()).name).toBe('wasm');
});

const unpacked = ({ shape, values }: Packed): Tensor => tensor(values, shape, 'float32');

/** Loads PyTorch's weights and gives the gradients of Σ y·direction by the parameters. */
function trained(module: Module, weights: Record<string, Packed>, forward: () => Tensor, direction: Packed): Tensor[] {
  const entries = Object.entries(weights).map(([name, { shape, values }]) => {
    return [name, { shape, data: Float32Array.from(values) }] as const;
  });
  module.loadStateDict(new Map(entries));
  const loss = () => sum(mul(forward(), unpacked(direction))) as Scalar;
  return valueAndGradients(loss, module.parameters()).gradients;
}

test.each([
  ['linear', () => new Linear({ inputSize: 4, outputSize: 3, seed: 1 })],
  ['layerNorm', () => new LayerNorm({ size: 6 })],
] as const)('%s gives the numbers and gradients of PyTorch', (name, make) => {
  tidy(() => {
    const { weight, bias, x, direction, y, gradients } = fixture[name];
    const layer = make();
    const byParameter = trained(layer, { weight, bias }, () => layer.forward(unpacked(x)), direction);
    expectClose(layer.forward(unpacked(x)), unpacked(y), 1e-5);
    expectClose(byParameter[0]!, unpacked(gradients[1]!), 1e-5);
    expectClose(byParameter[1]!, unpacked(gradients[2]!), 1e-5);
    const byInput = grad((x: Tensor) => sum(mul(layer.forward(x), unpacked(direction))))(unpacked(x));
    expectClose(byInput, unpacked(gradients[0]!), 1e-5);
  });
});

test('embedding gives the numbers and gradients of PyTorch, the padding row among them', () => {
  tidy(() => {
    const { weight, ids, paddingId, direction, y, gradient } = fixture.embedding;
    const layer = new Embedding({ numEmbeddings: 5, embeddingSize: 3, paddingId, seed: 1 });
    const tokens = tensor2d(ids, [2, 3], 'int32');
    const [byWeight] = trained(layer, { weight }, () => layer.forward(tokens), direction);
    expectClose(layer.forward(tokens), unpacked(y), 0);
    expectClose(byWeight!, unpacked(gradient), 1e-6);
  });
});

test('a sequence of ids is rows of the weight, in values and gradients as a vector each', () => {
  const layer = new Embedding({ numEmbeddings: 9, embeddingSize: 3, paddingId: 0, seed: 1 });
  expectNoTensorsLeft(() =>
    tidy(() => {
      const ids = tensor2d([4, 4, 7, 0, 4, 7], [2, 3], 'int32');
      expect(layer.sequence(ids)).toMatchObject({ ids: Int32Array.of(4, 4, 7, 0, 4, 7), shape: [2, 3], paddingId: 0 });
      expectClose(everyStep(layer.sequence(ids)), layer.forward(ids), 0);
      expect(() => layer.sequence(tensor2d([9], [1, 1], 'int32'))).toThrow(/ids must be in \[0, 9\); got 9/);
      const loss = (vectors: () => Tensor) => () => sum(mul(vectors(), randomTensor([2, 3, 3], 2))) as Scalar;
      const [inTable, each] = [() => everyStep(layer.sequence(ids)), () => layer.forward(ids)].map(
        (vectors) => valueAndGradients(loss(vectors), layer.parameters()).gradients[0]!,
      );
      expectClose(inTable!, each!, 1e-6);
    }),
  );
  layer.dispose();
});

test('cross-entropy gives the numbers and gradients of PyTorch, smoothed and with ignored rows', () => {
  tidy(() => {
    const { logits, targets, losses } = fixture.crossEntropy;
    const ids = tensor1d(targets, 'int32');
    for (const { options, loss, gradient } of losses) {
      const op = (x: Tensor) => crossEntropy(x as Tensor2D, ids as Tensor1D, options);
      expectClose(op(unpacked(logits)), [loss], 1e-6);
      expectClose(grad(op)(unpacked(logits)), unpacked(gradient), 1e-6);
    }
  });
});

test('layers start as in PyTorch, and the same for the same seed', () => {
  const linear = (seed: number) => new Linear({ inputSize: 100, outputSize: 50, seed }).stateDict();
  const bound = 0.1; // 1/√100
  const weight = [...linear(1).get('weight')!.data];
  expect(Math.max(...weight.map(Math.abs))).toBeLessThanOrEqual(Math.fround(bound));
  expect((deviationOf(weight) / bound) * Math.sqrt(3)).toBeCloseTo(1, 1.3); // within 2.5 %: four standard errors
  expect(linear(1)).toEqual(linear(1));
  expect(linear(1)).not.toEqual(linear(2));
  const embedding = new Embedding({ numEmbeddings: 100, embeddingSize: 50, paddingId: 3, seed: 1 });
  const rows = [...embedding.weight.dataSync()];
  expect(deviationOf(rows)).toBeCloseTo(1, 1);
  expect(rows.slice(150, 200)).toEqual(new Array(50).fill(0));
  const { weight: scale, bias } = new LayerNorm({ size: 3 });
  expect([[...scale.dataSync()], [...bias.dataSync()]]).toEqual([
    [1, 1, 1],
    [0, 0, 0],
  ]);
});

test('a layer norm without weight or bias has no such parameters, and normalises all the same', () => {
  const before = memory().numTensors;
  const plain = new LayerNorm({ size: 2, elementwiseAffine: false });
  const unbiased = new LayerNorm({ size: 2, bias: false });
  expect([...plain.namedParameters().keys()]).toEqual([]);
  expect([...unbiased.namedParameters().keys()]).toEqual(['weight']);
  plain.loadStateDict(new Map());
  tidy(() => {
    for (const layer of [plain, unbiased]) expectClose(layer.forward(tensor2d([[3, 5]])), [-1, 1], 1e-5);
  });
  plain.dispose();
  unbiased.dispose();
  expect(memory().numTensors).toBe(before);
});

test('dropout passes everything on without a key, and drops with one', () => {
  tidy(() => {
    const [layer, other] = [new Dropout({ rate: 0.5, seed: 1 }), new Dropout({ rate: 0.5, seed: 2 })];
    const x = randomTensor([4, 50], 1);
    const key = { seed: 3, step: 4, rowOffset: 0 };
    const zeros = (y: Tensor) => [...y.dataSync()].filter((v) => v === 0).length;
    expectClose(layer.forward(x), x, 0);
    expect(layer.forward(x).dataId).toBe(x.dataId);
    expect(layer.within(x)).toBe(x);
    expect(new Dropout({ rate: 0, seed: 1 }).within(x, key)).toBe(x);
    expect(layer.within(x, key).dataSync()).toEqual(layer.forward(x, key).dataSync());
    expect(zeros(layer.forward(x, key))).toBeGreaterThan(60);
    expect(layer.forward(x, key).dataSync()).toEqual(layer.forward(x, key).dataSync());
    expect(layer.forward(x, key).dataSync()).not.toEqual(other.forward(x, key).dataSync());
  });
});

test('layers leave no tensors behind', () => {
  const layers = [
    new Linear({ inputSize: 3, outputSize: 3, seed: 1 }),
    new LayerNorm({ size: 3 }),
    new Dropout({ rate: 0.1, seed: 1 }),
  ];
  const x = randomTensor([2, 3], 1);
  expectNoTensorsLeft(() => {
    for (const layer of layers) layer.forward(x).dispose();
  });
});

test('refuses a padding id outside the table, and rates outside [0, 1)', () => {
  expect(() => new Embedding({ numEmbeddings: 4, embeddingSize: 2, paddingId: 4, seed: 1 })).toThrow(
    'Embedding: paddingId must be in [0, 4); got 4',
  );
  expect(() => new Dropout({ rate: 1, seed: 1 })).toThrow('Dropout: rate must be in [0, 1); got 1');
});

function deviationOf(values: number[]): number {
  const mean = values.reduce((total, v) => total + v, 0) / values.length;
  return Math.sqrt(values.reduce((total, v) => total + (v - mean) ** 2, 0) / values.length);
}
