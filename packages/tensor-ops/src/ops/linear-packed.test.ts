import '@tensorflow/tfjs-backend-cpu';
import {
  grad,
  memory,
  setBackend,
  sum,
  type Tensor,
  type Tensor1D,
  type Tensor2D,
  tensor1d,
  tensor2d,
  tidy,
} from '@tensorflow/tfjs-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { useBackend } from '../backend.js';
import { dequantizeRows, quantizeRows } from '../io/quantize-rows.js';
import { linearReference } from '../reference/linear.js';
import { logSoftmaxReference } from '../reference/log-softmax.js';
import { refineLargestReference } from '../reference/refine-largest.js';
import { expectClose, expectNoTensorsLeft, forSizes, randomTensor } from '../testing/index.js';
import { linearPacked, packLinear } from './linear-packed.js';

describe.each(['wasm', 'cpu'])('on %s', (backend) => {
  beforeAll(async () => {
    await useBackend();
    expect(await setBackend(backend)).toBe(true);
  });
  afterAll(() => setBackend('wasm'));

  const runs = backend === 'wasm' ? 60 : 5;
  const parts = (M: number, I: number, O: number, seed: number) =>
    [randomTensor([M, I], seed), randomTensor([O, I], seed + 1), randomTensor([O], seed + 2)] as [
      Tensor,
      Tensor2D,
      Tensor1D,
    ];

  test('floats: equals the product with the weight as it is', () => {
    forSizes(
      'MIO',
      ({ M, I, O }, seed) =>
        tidy(() => {
          const [x, weight, bias] = parts(M, I, O, seed);
          const packed = packLinear(weight);
          expectClose(linearPacked(x, packed, bias), linearReference(x, weight, bias), 1e-5);
          expectClose(linearPacked(x, packed), linearReference(x, weight), 1e-5);
          packed.dispose();
        }),
      { runs, least: 1 },
    );
  });

  test('int8: equals the product with the rounded weight', () => {
    forSizes(
      'MIO',
      ({ M, I, O }, seed) =>
        tidy(() => {
          const [x, weight, bias] = parts(M, I, O, seed);
          const packed = packLinear(weight, { precision: 'int8' });
          const quantized = quantizeRows(weight.dataSync<'float32'>() as Float32Array, O, I);
          const rounded = tensor2d(dequantizeRows(quantized), [O, I]);
          expectClose(linearPacked(x, packed, bias), linearReference(x, rounded, bias), 2e-4);
          expectClose(linearPacked(x, packed), linearReference(x, rounded), 2e-4);
          packed.dispose();
        }),
      { runs, least: 1 },
    );
  });

  test('int8: the error stays below one percent of the output', () => {
    tidy(() => {
      const [x, weight] = parts(5, 600, 100, 1);
      const packed = packLinear(weight, { precision: 'int8' });
      const [ours, exact] = [linearPacked(x, packed).dataSync(), linearReference(x, weight).dataSync()];
      const norm = (v: ArrayLike<number>) => Math.hypot(...Array.from(v));
      expect(norm(ours.map((v, i) => v - exact[i]!)) / norm(exact)).toBeLessThan(0.01);
      packed.dispose();
    });
  });

  test('int8: rows of zeros and inputs of zeros give the bias', () => {
    tidy(() => {
      const packed = packLinear(tensor2d(new Float32Array(15), [5, 3]), { precision: 'int8' });
      const bias = randomTensor([5], 1) as Tensor1D;
      for (const x of [randomTensor([1, 3], 1), tensor2d([[0, 0, 0]])])
        expectClose(linearPacked(x, packed, bias), bias.dataSync(), 0);
      packed.dispose();
    });
  });

  test('int8: NaN and Infinity in x come out as NaN, in their row only', () => {
    tidy(() => {
      const packed = packLinear(randomTensor([4, 3], 1) as Tensor2D, { precision: 'int8' });
      for (const bad of backend === 'wasm' ? [Number.NaN, Number.POSITIVE_INFINITY] : [Number.NaN]) {
        const y = [
          ...linearPacked(
            tensor2d([
              [1, bad, 2],
              [1, 2, 3],
            ]),
            packed,
          ).dataSync(),
        ];
        expect(y.map(Number.isNaN)).toEqual([true, true, true, true, false, false, false, false]);
      }
      packed.dispose();
    });
  });

  test('int8, refined: the largest become the product with the weight as it is, the others stay', () => {
    forSizes(
      'MIO',
      ({ M, I, O }, seed) =>
        tidy(() => {
          const [x, weight, bias] = parts(M, I, O, seed);
          const rounded = packLinear(weight, { precision: 'int8' });
          for (const refined of [1, 3, 32]) {
            const packed = packLinear(weight, { precision: 'int8', refined });
            for (const offset of [bias, undefined]) {
              const y = linearPacked(x, rounded, offset);
              const expected = refineLargestReference(y, x, weight, offset, refined);
              expectClose(linearPacked(x, packed, offset), expected, 1e-5);
            }
            packed.dispose();
          }
          rounded.dispose();
        }),
      { runs: backend === 'wasm' ? 40 : 4, least: 1 },
    );
  });

  test('int8, refined: just so many elements change, wherever they stand; of no more outputs than that, all', () => {
    tidy(() => {
      const weight = tensor2d([
        [1.004],
        [8.996],
        [2.004],
        [2.996],
        [8.004],
        [0],
        [7.004],
        [4.004],
        [5.004],
        [6.004],
        [10.004],
      ]);
      const x = tensor2d([[1]]);
      const far = tensor2d(weight.dataSync().map((w, i) => w + 100 * i) as Float32Array, [11, 1]); // what refining reads
      const rounded = packLinear(weight, { precision: 'int8' });
      const before = [...linearPacked(x, rounded).dataSync()];
      for (const [count, changed] of [
        [1, [10]],
        [3, [1, 4, 10]],
        [11, [...far.dataSync().keys()]],
        [40, [...far.dataSync().keys()]],
      ] as [number, number[]][]) {
        const refined = { ...rounded, refined: { count, weight: far } };
        const expected = before.map((y, i) => (changed.includes(i) ? far.dataSync()[i]! : y));
        expectClose(linearPacked(x, refined), expected, 1e-6, `${count} refined`);
      }
      rounded.dispose();
    });
  });

  test('logSoftmax: of the product, in floats and in 8 bits', () => {
    forSizes(
      'MIO',
      ({ M, I, O }, seed) =>
        tidy(() => {
          const [x, weight, bias] = parts(M, I, O, seed);
          for (const options of [{}, { precision: 'int8' }, { precision: 'int8', refined: 5 }] as const) {
            const packed = packLinear(weight, options);
            const expected = logSoftmaxReference(linearPacked(x, packed, bias));
            expectClose(linearPacked(x, packed, bias, { logSoftmax: true }), expected, 1e-5);
            packed.dispose();
          }
        }),
      { runs: backend === 'wasm' ? 20 : 3, least: 1 },
    );
  });

  test('the packed weight is a copy, its own until disposed', () => {
    const before = memory().numTensors;
    tidy(() => {
      const weight = randomTensor([3, 2], 1) as Tensor2D;
      const x = randomTensor([1, 2], 2);
      for (const options of [{}, { precision: 'int8' }, { precision: 'int8', refined: 2 }] as const) {
        const packed = tidy(() => ({ packed: packLinear(weight, options) as never })).packed as ReturnType<
          typeof packLinear
        >;
        expectNoTensorsLeft(() => linearPacked(x, packed).dispose());
        expectNoTensorsLeft(() => linearPacked(x, packed, undefined, { logSoftmax: true }).dispose());
        packed.dispose();
      }
    });
    expect(memory().numTensors).toBe(before);
  });

  test('int8: of no inputs, the product is the bias', () => {
    tidy(() => {
      const packed = packLinear(tensor2d([], [3, 0]), { precision: 'int8' });
      expect([...linearPacked(tensor2d([], [2, 0]), packed, tensor1d([1, 2, 3])).dataSync()]).toEqual([
        1, 2, 3, 1, 2, 3,
      ]);
      packed.dispose();
    });
  });

  test('takes x of any rank', () => {
    tidy(() => {
      const packed = packLinear(randomTensor([3, 2], 1) as Tensor2D);
      expect(linearPacked(randomTensor([4, 5, 2], 1), packed).shape).toEqual([4, 5, 3]);
      expect(linearPacked(randomTensor([2], 1), packed).shape).toEqual([3]);
      packed.dispose();
    });
  });

  test('refuses sizes that do not fit, and to be recorded', () => {
    tidy(() => {
      const packed = packLinear(randomTensor([3, 2], 1) as Tensor2D);
      expect(() => linearPacked(randomTensor([1, 3], 1), packed)).toThrow(
        'linearPacked: the last axis of x must be 2; got x of shape [1,3]',
      );
      expect(() => linearPacked(randomTensor([1, 2], 1), packed, randomTensor([2], 1) as Tensor1D)).toThrow(
        'linearPacked: bias must be [3]; got [2]',
      );
      expect(() => grad((x: Tensor) => sum(linearPacked(x, packed)))(randomTensor([1, 2], 1))).toThrow(
        'linearPacked: packed weights have no gradient',
      );
      const ints = tensor2d([[1, 2]], [1, 2], 'int32');
      expect(() => linearPacked(ints, packed)).toThrow('linearPacked: x must be of floats; got int32 [1,2]');
      expect(() => packLinear(ints)).toThrow('packLinear: weight must be of floats; got int32');
      expect(() => linearPacked(randomTensor([1, 2], 1), packed, tensor1d([1, 2, 3], 'int32'))).toThrow(
        'linearPacked: bias must be of floats; got int32 [3]',
      );
      const weight = randomTensor([3, 2], 1);
      const refining = packLinear(weight, { precision: 'int8', refined: 1 });
      weight.dispose();
      expect(() => linearPacked(randomTensor([1, 2], 1), refining)).toThrow(
        'the weight to refine with has been disposed',
      );
      refining.dispose();
      packed.dispose();
      expect(() => linearPacked(randomTensor([1, 2], 1), packed)).toThrow('the packed weight has been disposed');
      for (const refined of [-1, 1.5, Number.NaN]) {
        expect(() => packLinear(randomTensor([3, 2], 1), { precision: 'int8', refined })).toThrow(
          `packLinear: refined must be a whole number from 0 on; got ${refined}`,
        );
      }
    });
  });
});

test('a weight packed on one backend is refused on another', async () => {
  const packed = packLinear(randomTensor([3, 2], 1) as Tensor2D);
  await setBackend('cpu');
  expect(() => linearPacked(randomTensor([1, 2], 1), packed)).toThrow('packed on backend wasm; got cpu');
  await setBackend('wasm');
  packed.dispose();
});
