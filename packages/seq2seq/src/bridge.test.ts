import { type Tensor, type Tensor3D, tensor2d, tensor3d, tidy, zerosLike } from '@tensorflow/tfjs-core';
import { beforeAll, expect, test } from 'vitest';
import { Bridge, type BridgeOptions, useBackend } from './index.js';

beforeAll(async () => {
  await useBackend();
});

// An encoder of three layers that reads both ways, one unit a direction: states [3 · 2, B, 1], outputs [B, S, 2].
const encoded = () => ({
  output: tensor3d([1, 2, 3, 4, 5, 6, 7, 8, 0, 0, 0, 0], [2, 3, 2]),
  mask: tensor2d([1, 1, 1, 1, 0, 0], [2, 3]),
  state: {
    hidden: tensor3d([11, 12, 21, 22, 31, 32, 41, 42, 0.1, 0.2, 0.3, 0.4], [6, 2, 1]),
    cell: tensor3d([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12], [6, 2, 1]),
  },
  lengths: Int32Array.of(3, 1),
  ids: tensor2d([4, 4, 4, 4, 0, 0], [2, 3], 'int32'),
});
const sizes = { directions: 2, encoderLayers: 3, encoderSize: 2, decoderSize: 2, seed: 1 } as const;

/** hidden and cell [layers, B, H] as numbers. */
function first(options: Pick<BridgeOptions, 'kind' | 'decoderLayers' | 'hasCell'>, weights?: [number, number]) {
  const bridge = new Bridge({ ...sizes, ...options });
  if (weights) {
    for (const [name, parameter] of bridge.namedParameters()) {
      const factor = name.startsWith('hidden') ? weights[0] : weights[1];
      tidy(() =>
        parameter.assign(
          name.endsWith('weight') ? tensor2d([factor, 0, 0, factor], [2, 2]) : zerosLike(parameter as Tensor),
        ),
      );
    }
  }
  const read = tidy(() => {
    const { hidden, cell } = bridge.forward(encoded());
    return [hidden.clone(), (cell ?? hidden).clone()];
  }) as Tensor3D[];
  const [hidden, cell] = read.map((tensor) => tensor.arraySync());
  for (const tensor of read) tensor.dispose();
  bridge.dispose();
  return { hidden: hidden!, cell: options.hasCell ? cell! : null };
}

const near = (actual: number[][][], expected: number[][][]) =>
  expect(actual.flat(2).map((x) => x.toFixed(5))).toEqual(expected.flat(2).map((x) => x.toFixed(5)));

test('zero: zeros', () => {
  const { hidden, cell } = first({ kind: 'zero', decoderLayers: 1, hasCell: true });
  expect(hidden.flat(2)).toEqual([0, 0, 0, 0]);
  expect(cell!.flat(2)).toEqual([0, 0, 0, 0]);
});

test('last: the last states of the topmost layers, directions side by side', () => {
  const { hidden, cell } = first({ kind: 'last', decoderLayers: 2, hasCell: true });
  near(hidden, [
    [
      [31, 41],
      [32, 42],
    ],
    [
      [0.1, 0.3],
      [0.2, 0.4],
    ],
  ]);
  near(cell!.slice(1), [
    [
      [9, 11],
      [10, 12],
    ],
  ]);
});

test('mean: tanh of a linear map of the mean real output; an LSTM’s cell is not squashed', () => {
  const { hidden, cell } = first({ kind: 'mean', decoderLayers: 1, hasCell: true }, [0.1, 2]);
  near(hidden, [
    [
      [Math.tanh(0.3), Math.tanh(0.4)],
      [Math.tanh(0.7), Math.tanh(0.8)],
    ],
  ]);
  near(cell!, [
    [
      [6, 8],
      [14, 16],
    ],
  ]);
});

test('dense: tanh of a linear map of the topmost layer’s last state, of its cell state for the cell', () => {
  const { hidden, cell } = first({ kind: 'dense', decoderLayers: 2, hasCell: true }, [1, 3]);
  const layer = [
    [Math.tanh(0.1), Math.tanh(0.3)],
    [Math.tanh(0.2), Math.tanh(0.4)],
  ];
  near(hidden, [layer, layer]);
  near(cell!.slice(0, 1), [
    [
      [27, 33],
      [30, 36],
    ],
  ]);
});
