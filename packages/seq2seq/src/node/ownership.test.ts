import { Adam, type Parameter, parameter, useBackend } from '@seqloom/tensor-ops';
import { dispose, ones } from '@tensorflow/tfjs-core';
import { beforeAll, expect, test } from 'vitest';
import { indicesOf, ownersOf, partOfState, wholeState } from './ownership.js';

beforeAll(async () => {
  await useBackend();
});

const ofSizes = (sizes: number[]) => sizes.map((size) => ({ size })) as Parameter[];

test('the largest parameters are dealt out first, each to who has least', () => {
  expect(ownersOf(ofSizes([5, 100, 60, 50, 1]), 2)).toEqual([0, 0, 1, 1, 0]);
  expect(ownersOf(ofSizes([7, 7, 7]), 2)).toEqual([0, 1, 0]);
  expect(ownersOf(ofSizes([3]), 4)).toEqual([0]);
  expect(indicesOf([0, 1, 0, 1], 1)).toEqual([1, 3]);
});

test('the parts of a state are the states of optimizers of the parts, and together the whole', () => {
  const parameters = [2, 9, 4].map((size) => parameter(new Float32Array(size), [size]));
  const gradients = parameters.map(({ shape }) => ones(shape));
  const optimizer = new Adam(parameters);
  optimizer.step(gradients);
  const state = optimizer.stateDict();
  const owners = ownersOf(parameters, 2);
  const parts = [0, 1].map((thread) => partOfState(state, owners, thread));
  for (const [thread, part] of parts.entries()) {
    const own = new Adam(indicesOf(owners, thread).map((i) => parameters[i]!));
    own.loadStateDict(part);
    expect(own.stateDict()).toEqual(part);
    own.dispose();
  }
  const whole = wholeState(parts, owners);
  expect(whole).toEqual(state);
  expect([...whole.tensors.keys()]).toEqual([...state.tensors.keys()]);
  const foreign = { ...state, tensors: new Map([...state.tensors, ['7.exp_avg', state.tensors.get('0.exp_avg')!]]) };
  expect(() => optimizer.loadStateDict(partOfState(foreign, [0, 0, 0], 0))).toThrow('unexpected "7.exp_avg"');
  optimizer.dispose();
  dispose([...parameters, ...gradients]);
});
