import '@tensorflow/tfjs-backend-cpu';
import { memory, setBackend, tensor1d, tidy } from '@tensorflow/tfjs-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { useBackend } from '../backend.js';
import { SGD } from '../optim/sgd.js';
import { Linear } from './linear.js';
import { Module } from './module.js';
import { constantParameter, type Parameter } from './parameter.js';

class Pair extends Module {
  readonly first = this.child('first', new Linear({ inputSize: 2, outputSize: 3, seed: 1 }));
  readonly second = this.child('second', new Linear({ inputSize: 3, outputSize: 1, bias: false, seed: 2 }));
  readonly scale = this.own('scale', constantParameter([1], 2));
}

class Tied extends Module {
  readonly weight = this.own('weight', constantParameter([2], 1));
  readonly again = this.own('again', this.weight);
}

describe.each(['wasm', 'cpu'])('on %s', (backend) => {
  beforeAll(async () => {
    await useBackend();
    expect(await setBackend(backend)).toBe(true);
  });
  afterAll(() => setBackend('wasm'));

  test('names join with dots, as in PyTorch', () => {
    expect([...new Pair().namedParameters().keys()]).toEqual(['scale', 'first.weight', 'first.bias', 'second.weight']);
  });

  test('a tied parameter has both names and is trained once', () => {
    const tied = new Tied();
    expect([...tied.stateDict().keys()]).toEqual(['weight', 'again']);
    expect(tied.parameters()).toEqual([tied.weight]);
  });

  test('a state dict is a copy in both directions', () => {
    const module = new Pair();
    const dict = module.stateDict();
    const scale = () => module.scale.dataSync()[0];
    tidy(() => new SGD([module.scale], { learningRate: 1 }).step([tensor1d([1])]));
    expect([dict.get('scale')!.data[0], scale()]).toEqual([2, 1]);
    module.loadStateDict(dict);
    dict.get('scale')!.data[0] = 9;
    expect(scale()).toBe(2);
  });

  test('takes the values of another of its kind', () => {
    const [a, b] = [new Pair(), new Pair()];
    a.scale.assign(tensor1d([7]));
    b.loadStateDict(a.stateDict());
    expect(b.stateDict()).toEqual(a.stateDict());
  });

  test('dispose frees every parameter, saving and loading leave nothing behind', () => {
    const before = memory().numTensors;
    const module = new Pair();
    const held = memory().numTensors;
    for (let i = 0; i < 3; i++) module.loadStateDict(module.stateDict());
    expect(memory().numTensors).toBe(held);
    module.dispose();
    expect(memory().numTensors).toBe(before);
  });
});

test('a state dict that does not fit is refused, and nothing changes', () => {
  const module = new Pair();
  const load = (edit: (dict: ReturnType<Module['stateDict']>) => void) => () => {
    const dict = module.stateDict();
    dict.get('scale')!.data[0] = 5;
    edit(dict);
    module.loadStateDict(dict);
  };
  const entry = { shape: [1], data: Float32Array.of(1) };
  expect(load((dict) => dict.delete('first.bias'))).toThrow('loadStateDict: "first.bias" is missing');
  expect(load((dict) => dict.set('third', entry))).toThrow('loadStateDict: unexpected "third"');
  expect(load((dict) => dict.set('first.bias', entry))).toThrow('"first.bias" must be of shape [3]; got [1]');
  expect((module.scale as Parameter).dataSync()[0]).toBe(2);
});
