// A Transformer whose weights are PyTorch's gives PyTorch's numbers; fixtures/make_transformer.py made them.
import { readFileSync } from 'node:fs';
import { valueAndGradients } from '@seqloom/tensor-ops';
import { beforeAll, describe, expect, test } from 'vitest';
import { Seq2Seq, useBackend } from '../index.js';
import { batchOf } from '../testing/copy-task.js';

interface Numbers {
  shape: number[];
  data: number[];
}

interface Case {
  norm: 'pre' | 'post';
  activation: 'relu' | 'gelu';
  parameters: Record<string, Numbers>;
  gradients: Record<string, Numbers>;
  logProbabilities: Numbers;
  loss: number;
}

const cases: Case[] = JSON.parse(readFileSync(new URL('../../fixtures/transformer.json', import.meta.url), 'utf8'));
const batch = batchOf([
  [
    [4, 5, 6, 7],
    [5, 6, 7, 8],
  ],
  [
    [8, 4],
    [4, 4],
  ],
]);

beforeAll(async () => {
  await useBackend();
});

describe.each(cases)('norms $norm, $activation', ({ norm, activation, parameters, gradients, ...expected }) => {
  const build = (): Seq2Seq => {
    const size = parameters['encoder.norm.weight']!.shape[0]!;
    const [feedForwardSize] = parameters['encoder.layers.0.linear1.bias']!.shape;
    const layers = { encoderLayers: 2, decoderLayers: 2 };
    const model = Seq2Seq.create({
      transformer: { size, numHeads: 2, ...layers, feedForwardSize, norm, activation },
      sourceVocabulary: 9,
      targetVocabulary: 9,
    });
    model.loadStateDict(
      new Map(
        Object.entries(parameters).map(([name, { shape, data }]) => [name, { shape, data: Float32Array.from(data) }]),
      ),
    );
    return model;
  };

  test('the state_dict of nn.Transformer loads as it is and gives its probabilities', () => {
    const model = build();
    const output = model.logProbabilities(batch);
    const values = output.dataSync();
    expect(output.shape).toEqual(expected.logProbabilities.shape);
    const real = [0, 1, 2, 3, 4, 5, 6, 7].flatMap((row) => Array.from({ length: 9 }, (_, v) => row * 9 + v)); // 5 + 3 tokens
    for (const at of real) expect(Math.abs(values[at]! - expected.logProbabilities.data[at]!)).toBeLessThan(1e-5);
    output.dispose();
    model.dispose();
  });

  test('loss and gradients are its own', () => {
    const model = build();
    const names = [...model.uniqueParameters().keys()];
    const { value, gradients: found } = valueAndGradients(() => model.loss(batch), model.parameters());
    expect(value.dataSync()[0]).toBeCloseTo(expected.loss, 5);
    for (const [i, name] of names.entries()) {
      const wanted = gradients[name]!.data;
      for (const [at, gradient] of found[i]!.dataSync().entries()) {
        expect(Math.abs(gradient - wanted[at]!), `${name}[${at}]`).toBeLessThan(1e-4);
      }
    }
  });
});
