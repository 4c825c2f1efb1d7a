import {
  add,
  grads,
  matMul,
  memory,
  mul,
  randomUniform,
  sum,
  type Tensor,
  type Tensor1D,
  type Tensor2D,
  tidy,
} from '@tensorflow/tfjs-core';
import { beforeAll, expect, test } from 'vitest';
import { useBackend } from '../backend.js';
import { linearReference } from '../reference/linear.js';
import { linear } from './linear.js';

beforeAll(async () => {
  expect((await useBackend()).name).toBe('wasm');
});

test('smoke', () => {
  for (const [M, I, O] of [
    [1, 1, 1],
    [7, 13, 9],
    [64, 100, 33],
    [3, 513, 17],
  ] as const) {
    tidy(() => {
      const x = randomUniform([M, I], -1, 1),
        w = randomUniform([O, I], -1, 1) as Tensor2D,
        b = randomUniform([O], -1, 1) as Tensor1D;
      const dy = randomUniform([M, O], -1, 1);
      const f = (run: typeof linear) =>
        grads((x: Tensor, w: Tensor, b: Tensor) => sum(mul(run(x, w as Tensor2D, b as Tensor1D), dy)))([x, w, b]);
      const ours = f(linear),
        ref = f(linearReference);
      for (let i = 0; i < 3; i++) {
        const a = ours[i]!.dataSync(),
          r = ref[i]!.dataSync();
        for (let j = 0; j < a.length; j++) expect(a[j]).toBeCloseTo(r[j]!, 4);
      }
      const y = linear(x, w, b).dataSync(),
        z = add(matMul(x as Tensor2D, w, false, true), b).dataSync();
      for (let j = 0; j < y.length; j++) expect(y[j]).toBeCloseTo(z[j]!, 4);
    });
  }
  expect(memory().numTensors).toBe(0);
});
