import '@tensorflow/tfjs-backend-cpu';
import { readFileSync } from 'node:fs';
import { clone, memory, setBackend, type Tensor, tensor1d } from '@tensorflow/tfjs-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { useBackend } from '../backend.js';
import { type Parameter, parameter } from '../nn/parameter.js';
import { expectClose, randomTensor } from '../testing/index.js';
import { Adam, AdamW } from './adam.js';
import { clipByGlobalNorm } from './clip.js';
import type { Optimizer } from './optimizer.js';
import { SGD } from './sgd.js';

interface Fixture {
  start: number[];
  gradients: number[][];
  runs: { optimizer: keyof typeof OPTIMIZERS; options: object; path: number[][] }[];
  clip: { gradients: number[][]; maxNorm: number; norm: number; clipped: number[][] };
}

const OPTIMIZERS = { Adam, AdamW, SGD };
const fixture: Fixture = JSON.parse(readFileSync(new URL('../../fixtures/optimizers.json', import.meta.url), 'utf8'));

const fresh = (): Parameter => parameter(Float32Array.from(fixture.start), [fixture.start.length]);
const values = (x: Tensor): number[] => [...x.dataSync()];

describe.each(['wasm', 'cpu'])('on %s', (backend) => {
  beforeAll(async () => {
    await useBackend();
    expect(await setBackend(backend)).toBe(true);
  });
  afterAll(() => setBackend('wasm'));

  test.each(fixture.runs.map((run) => [`${run.optimizer} ${JSON.stringify(run.options)}`, run] as const))(
    'walks as PyTorch does: %s',
    (_, { optimizer: name, options, path }) => {
      const p = fresh();
      const optimizer: Optimizer = new OPTIMIZERS[name]([p], options);
      for (const [step, gradient] of fixture.gradients.entries()) {
        optimizer.step([tensor1d(gradient)]);
        expectClose(p, path[step]!, 2e-6, `step ${step + 1}`);
      }
    },
  );

  test.each(fixture.runs.map((run) => [`${run.optimizer} ${JSON.stringify(run.options)}`, run] as const))(
    'goes on bit for bit: %s',
    (_, { optimizer: name, options }) => {
      const [whole, halved] = [fresh(), fresh()];
      const through: Optimizer = new OPTIMIZERS[name]([whole], options);
      const before: Optimizer = new OPTIMIZERS[name]([halved], options);
      for (const gradient of fixture.gradients) through.step([tensor1d(gradient)]);
      for (const gradient of fixture.gradients.slice(0, 5)) before.step([tensor1d(gradient)]);
      const saved = JSON.stringify({ ...before.stateDict(), tensors: packed(before) });
      before.dispose();
      const after: Optimizer = new OPTIMIZERS[name]([halved], options);
      after.loadStateDict(unpacked(saved));
      for (const gradient of fixture.gradients.slice(5)) after.step([tensor1d(gradient)]);
      expect(values(halved)).toEqual(values(whole));
      expect(after.stateDict()).toEqual(through.stateDict());
    },
  );

  test('its state is a copy: later steps and edits do not meet', () => {
    const p = fresh();
    const optimizer = new Adam([p]);
    optimizer.step([tensor1d(fixture.gradients[0]!)]);
    const state = optimizer.stateDict();
    const kept = [...state.tensors.get('0.exp_avg')!.data];
    optimizer.step([tensor1d(fixture.gradients[1]!)]);
    expect([...state.tensors.get('0.exp_avg')!.data]).toEqual(kept);
    optimizer.loadStateDict(state);
    state.tensors.get('0.exp_avg')!.data.fill(9);
    expect([...optimizer.stateDict().tensors.get('0.exp_avg')!.data]).toEqual(kept);
  });

  test('a clone of a parameter keeps its values, and gradients are only read', () => {
    const p = fresh();
    const [snapshot, gradient] = [clone(p), tensor1d(fixture.gradients[0]!)];
    const before = values(gradient);
    for (const optimizer of [new Adam([p]), new AdamW([p]), new SGD([p], { momentum: 0.5 })])
      optimizer.step([gradient]);
    expect(values(snapshot)).toEqual(fixture.start.map(Math.fround));
    expect(values(p)).not.toEqual(values(snapshot));
    expect(values(gradient)).toEqual(before);
  });

  test('a rate given with the step takes the place of its own', () => {
    const [p, q] = [fresh(), fresh()];
    const gradient = tensor1d(fixture.gradients[0]!);
    new SGD([p], { learningRate: 5 }).step([gradient], 0.25);
    new SGD([q], { learningRate: 0.25 }).step([gradient]);
    expect(values(p)).toEqual(values(q));
  });

  test('steps leave no tensors behind, and dispose frees the state', () => {
    const p = fresh();
    const gradient = tensor1d(fixture.gradients[0]!);
    for (const make of [
      () => new Adam([p]),
      () => new SGD([p], { momentum: 0.9, weightDecay: 0.1 }),
      () => new SGD([p]),
    ]) {
      const before = memory();
      const optimizer = make();
      const held = memory();
      for (let i = 0; i < 5; i++) optimizer.step([gradient]);
      expect(memory().numTensors).toBe(held.numTensors);
      expect(memory().numBytes).toBe(held.numBytes);
      optimizer.loadStateDict(optimizer.stateDict());
      optimizer.dispose();
      expect(memory().numTensors).toBe(before.numTensors);
    }
  });

  test('clips as PyTorch does', () => {
    const { gradients, maxNorm, norm, clipped } = fixture.clip;
    const tensors: Tensor[] = gradients.map((g) => tensor1d(g));
    expect(clipByGlobalNorm(tensors, maxNorm)).toBeCloseTo(norm, 5);
    for (const [i, expected] of clipped.entries()) expectClose(tensors[i]!, expected, 1e-6);
  });
});

test('every element is updated alike, whatever the size', () => {
  for (let n = 0; n < 12; n++) {
    const sizes = [0, n];
    const all = sizes.map((size) => parameter(randomTensor([size], 1).dataSync().slice() as Float32Array, [size]));
    const singles = values(all[1]!).map((v) => parameter(Float32Array.of(v), [1]));
    const gradients = sizes.map((size) => randomTensor([size], 2));
    const singleGradients = values(gradients[1]!).map((v) => tensor1d([v]));
    for (const make of [
      (p: Parameter[]) => new AdamW(p, { weightDecay: 0.1 }),
      (p: Parameter[]) => new SGD(p, { momentum: 0.9, nesterov: true }),
      (p: Parameter[]) => new SGD(p, { weightDecay: 0.1 }),
    ]) {
      const [whole, apart] = [make(all), make(singles)];
      for (let step = 0; step < 2; step++) {
        whole.step(gradients);
        apart.step(singleGradients);
      }
      expect(values(all[1]!)).toEqual(singles.flatMap(values));
    }
  }
});

test('on wasm a parameter is changed in place', () => {
  const p = fresh();
  const { dataId } = p;
  new Adam([p]).step([tensor1d(fixture.gradients[0]!)]);
  expect(p.dataId).toBe(dataId);
});

test('refuses gradients, settings and states that do not fit, and changes nothing', () => {
  const p = fresh();
  const optimizer = new Adam([p]);
  expect(() => optimizer.step([])).toThrow('Adam.step: there must be 1 gradients; got 0');
  expect(() => optimizer.step([tensor1d([1])])).toThrow('Adam.step: gradient 0 must be of shape [7]; got [1]');
  expect(() => optimizer.step([tensor1d([1, 2, 3, 4, 5, 6, 7], 'int32')])).toThrow(
    'Adam.step: gradient 0 must be of floats; got int32 [7]',
  );
  expect(() => optimizer.step([tensor1d(fixture.start)], Number.NaN)).toThrow(
    'learningRate must be 0 or more; got NaN',
  );
  expect(optimizer.steps).toBe(0);
  const { tensors } = optimizer.stateDict();
  const load = (step: number, edit: (t: typeof tensors) => void) => () => {
    const edited = new Map(tensors);
    edit(edited);
    optimizer.loadStateDict({ step, tensors: edited });
  };
  expect(load(-1, () => {})).toThrow('Adam.loadStateDict: step must be a whole number from 0; got -1');
  expect(load(1, (t) => t.delete('0.exp_avg'))).toThrow('"0.exp_avg" is missing');
  expect(load(1, (t) => t.set('1.exp_avg', t.get('0.exp_avg')!))).toThrow('unexpected "1.exp_avg"');
  expect(load(1, (t) => t.set('0.exp_avg', { shape: [1], data: Float32Array.of(1) }))).toThrow(
    'must be of shape [7]; got [1]',
  );
  expect(() => new Adam([p, p])).toThrow('Adam: every parameter must stand in the list once');
  expect(() => new Adam([p], { learningRate: -1 })).toThrow('Adam: learningRate must be 0 or more; got -1');
  expect(() => new Adam([p], { betas: [0.9, 1] })).toThrow('Adam: betas must be in [0, 1); got 0.9,1');
  expect(() => new SGD([p], { nesterov: true })).toThrow('SGD: nesterov needs a momentum above 0; got 0');
});

function packed(optimizer: Optimizer): [string, { shape: number[]; data: number[] }][] {
  return [...optimizer.stateDict().tensors].map(([key, { shape, data }]) => [key, { shape, data: [...data] }]);
}

function unpacked(text: string): ReturnType<Optimizer['stateDict']> {
  const { step, tensors } = JSON.parse(text) as { step: number; tensors: ReturnType<typeof packed> };
  const entries = tensors.map(([key, { shape, data }]) => [key, { shape, data: Float32Array.from(data) }] as const);
  return { step, tensors: new Map(entries) };
}
