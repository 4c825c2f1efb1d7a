import { broadcastTo, fused, matMul, type Tensor, type Tensor3D, tensor, tidy } from '@tensorflow/tfjs-core';
import { beforeAll, describe, expect, test } from 'vitest';
import { useBackend } from '../backend.js';
import { expectSameAsCpu } from '../testing/backends.js';
import { expectClose, type Op, randomTensor } from '../testing/index.js';

beforeAll(async () => {
  expect((await useBackend()).name).toBe('wasm');
});

const INNER = [1, 47, 48, 49, 100];
const BATCHES = [
  [[], []],
  [[1], [1]],
  [[3], [3]],
  [[3], [1]],
  [[1], [3]],
] as const;
const ACTIVATIONS = ['linear', 'relu', 'relu6', 'elu', 'sigmoid', 'prelu', 'leakyrelu'] as const;
const [M, N] = [5, 13];

const shapes = (K: number, transposeA: boolean, transposeB: boolean) =>
  [transposeA ? [K, M] : [M, K], transposeB ? [N, K] : [K, N]] as const;

describe.each([false, true])('transposeA %s', (transposeA) => {
  describe.each([false, true])('transposeB %s', (transposeB) => {
    test.each(INNER)('matMul and its gradients equal the cpu backend’s, inner size %i', async (K) => {
      const [a, b] = shapes(K, transposeA, transposeB);
      for (const [batchA, batchB] of BATCHES) {
        await expectSameAsCpu(
          ((x: Tensor, y: Tensor) => matMul(x, y, transposeA, transposeB)) as Op,
          () => [randomTensor([...batchA, ...a], 1), randomTensor([...batchB, ...b], 2)],
          // tfjs' own gradient knows no broadcasting
          { what: `batches [${batchA}] and [${batchB}]`, gradients: batchA.join() === batchB.join() },
        );
      }
    });

    test.each(INNER)('fused matMul with a bias and each activation does too, inner size %i', async (K) => {
      const [a, b] = shapes(K, transposeA, transposeB);
      for (const activation of ACTIVATIONS) {
        for (const batch of [[1], [3]]) {
          const op = (x: Tensor3D, y: Tensor3D, bias: Tensor, slopes?: Tensor) =>
            fused.matMul({
              a: x,
              b: y,
              transposeA,
              transposeB,
              bias,
              activation,
              ...(slopes && { preluActivationWeights: slopes }),
              ...(activation === 'leakyrelu' && { leakyreluAlpha: 0.1 }),
            });
          const inputs = () => [
            randomTensor([...batch, ...a], 3),
            randomTensor([...batch, ...b], 4),
            randomTensor([N], 5),
            ...(activation === 'prelu' ? [randomTensor([N], 6)] : []),
          ];
          await expectSameAsCpu(op as Op, inputs, { what: `${activation}, batch ${batch}` });
        }
      }
    });
  });
});

test('batches broadcast both ways at once', () => {
  tidy(() => {
    const [a, b] = [randomTensor([2, 1, M, 9], 1), randomTensor([3, 9, N], 2)];
    const spread = matMul(broadcastTo(a, [2, 3, M, 9]), broadcastTo(b, [2, 3, 9, N]));
    expectClose(matMul(a, b), spread);
  });
});

test('a bias of another shape than [N] is broadcast', async () => {
  for (const shape of [[1], [M, N], [M, 1]]) {
    const op = (a: Tensor, b: Tensor, bias: Tensor) =>
      fused.matMul({ a, b, bias, activation: 'relu' } as Parameters<typeof fused.matMul>[0]);
    const inputs = () => [randomTensor([M, 9], 1), randomTensor([9, N], 2), randomTensor(shape, 3)];
    await expectSameAsCpu(op as Op, inputs, { gradients: false, what: `bias [${shape}]` });
  }
});

test('an inner size of zero gives zeros, a size of zero nothing', async () => {
  for (const [m, k, n] of [
    [3, 0, 2],
    [0, 4, 2],
    [3, 4, 0],
  ] as const) {
    await expectSameAsCpu(matMul as unknown as Op, () => [randomTensor([m, k], 1), randomTensor([k, n], 2)], {
      gradients: false,
    });
  }
});

test('integers multiply exactly', () => {
  tidy(() => {
    const a = tensor([1, 2, 3, 4, 5, 100_000], [2, 3], 'int32');
    const b = tensor([1, -1, 2, 0, 3, 20_000], [2, 3], 'int32');
    const y = matMul(a, b, false, true);
    expect(y.dtype).toBe('int32');
    expect([...y.dataSync()]).toEqual([5, 60_006, 199_999, 2_000_000_015]);
  });
});
