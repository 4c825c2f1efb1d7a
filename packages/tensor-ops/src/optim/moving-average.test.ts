import '@tensorflow/tfjs-backend-cpu';
import { memory, setBackend, tensor1d } from '@tensorflow/tfjs-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { useBackend } from '../backend.js';
import { parameter } from '../nn/parameter.js';
import { expectClose } from '../testing/index.js';
import { ExponentialMovingAverage } from './moving-average.js';

describe.each(['wasm', 'cpu'])('on %s', (backend) => {
  beforeAll(async () => {
    await useBackend();
    expect(await setBackend(backend)).toBe(true);
  });
  afterAll(() => setBackend('wasm'));

  const start = () => parameter(Float32Array.of(1, 2, 3, 4, 5), [5]);

  test('keeps decay of the average and takes the rest of the parameter', () => {
    const p = start();
    const average = new ExponentialMovingAverage([p], { decay: 0.9, warmUp: false });
    p.assign(tensor1d([2, 3, 4, 5, 6]));
    average.update();
    p.assign(tensor1d([0, 0, 0, 0, 0]));
    average.update();
    average.swapIn();
    expectClose(p, [0.99, 1.89, 2.79, 3.69, 4.59], 1e-6);
  });

  test('at first little is kept, with warm-up', () => {
    const p = start();
    const average = new ExponentialMovingAverage([p], { decay: 0.9 });
    p.assign(tensor1d([0, 0, 0, 0, 0]));
    average.update(); // keeps 2/11
    average.update(); // keeps 3/12
    average.swapIn();
    expectClose(
      p,
      [1, 2, 3, 4, 5].map((v) => (v * 2 * 3) / (11 * 12)),
      1e-6,
    );
  });

  test('swapping in and out gives the parameters back, bit for bit', () => {
    const p = start();
    const average = new ExponentialMovingAverage([p], { decay: 0.5, warmUp: false });
    p.assign(tensor1d([0.1, 0.2, 0.3, 0.4, 0.5]));
    average.update();
    const [before, state] = [p.dataSync().slice(), average.stateDict()];
    average.swapIn();
    expect(p.dataSync()).toEqual(state.tensors.get('0.average')!.data);
    average.swapOut();
    expect(p.dataSync()).toEqual(before);
    expect(average.stateDict()).toEqual(state);
  });

  test('goes on from its state, bit for bit', () => {
    const p = start();
    const [whole, before] = [new ExponentialMovingAverage([p]), new ExponentialMovingAverage([p])];
    const visit = (value: number, ...averages: ExponentialMovingAverage[]) => {
      p.assign(tensor1d([value, value, value, value, value]));
      for (const average of averages) average.update();
    };
    visit(0.3, whole, before);
    visit(0.7, whole, before);
    const after = new ExponentialMovingAverage([p]);
    after.loadStateDict(before.stateDict());
    visit(0.9, whole, after);
    expect(after.stateDict()).toEqual(whole.stateDict());
  });

  test('leaves no tensors behind, and dispose frees the averages', () => {
    const p = start();
    const before = memory().numTensors;
    const average = new ExponentialMovingAverage([p]);
    for (let i = 0; i < 3; i++) {
      average.update();
      average.swapIn();
      average.swapOut();
    }
    expect(memory().numTensors).toBe(before + 1);
    average.dispose();
    expect(memory().numTensors).toBe(before);
  });
});

test('refuses what would mix parameters and averages up', () => {
  const average = new ExponentialMovingAverage([parameter(Float32Array.of(1), [1])]);
  expect(() => average.swapOut()).toThrow('ExponentialMovingAverage.swapOut: swapIn must come first');
  average.swapIn();
  expect(() => average.update()).toThrow('ExponentialMovingAverage.update: swapOut must come first');
  expect(() => average.stateDict()).toThrow('ExponentialMovingAverage.stateDict: swapOut must come first');
  expect(() => new ExponentialMovingAverage([], { decay: 1 })).toThrow('decay must be in [0, 1); got 1');
});
