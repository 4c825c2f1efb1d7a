import { conv2d, depthwiseConv2d, type Tensor3D, type Tensor4D } from '@tensorflow/tfjs-core';
import { beforeAll, expect, test } from 'vitest';
import { useBackend } from '../backend.js';
import { expectSameAsCpu } from '../testing/backends.js';
import { type Op, randomTensor } from '../testing/index.js';

beforeAll(async () => {
  expect((await useBackend()).name).toBe('wasm');
});

const CASES = [
  { pad: 'same', strides: 1 },
  { pad: 'same', strides: 2 },
  { pad: 'valid', strides: 1 },
  { pad: 'valid', strides: [2, 3] },
  { pad: 1, strides: 2 },
] as const;
/** tfjs takes filters for square when the padding is a number. */
const width = (pad: string | number) => (typeof pad === 'number' ? 3 : 2);

test.each(CASES)(
  'convolutions and their gradients equal the cpu backend’s: pad $pad, strides $strides',
  async ({ pad, strides }) => {
    for (const format of ['NHWC', 'NCHW'] as const) {
      const shape = format === 'NHWC' ? [2, 7, 9, 3] : [2, 3, 7, 9];
      const op = (x: Tensor4D, w: Tensor4D) => conv2d(x, w, strides as [number, number], pad, format);
      await expectSameAsCpu(op as Op, () => [randomTensor(shape, 1), randomTensor([3, width(pad), 3, 5], 2)], {
        what: format,
      });
    }
  },
);

test.each(CASES)('depthwise ones do too: pad $pad, strides $strides', async ({ pad, strides }) => {
  for (const multiplier of [1, 2]) {
    const stride = typeof strides === 'number' ? strides : strides[0];
    const op = (x: Tensor3D, w: Tensor4D) => depthwiseConv2d(x, w, stride, pad);
    await expectSameAsCpu(op as Op, () => [
      randomTensor([2, 7, 9, 3], 1),
      randomTensor([3, width(pad), 3, multiplier], 2),
    ]);
  }
});
