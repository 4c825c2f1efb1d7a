// What a recurrent sequence op must refuse, and in which words.
import { reshape, type Tensor, type Tensor1D, type Tensor2D, type Tensor3D, tidy } from '@tensorflow/tfjs-core';
import { expect, test } from 'vitest';
import type { RecurrentWeights } from '../ops/recurrence/inputs.js';
import type { SequenceInput, SequenceState } from '../ops/recurrence/sequence-input.js';
import type { SequenceOptions } from '../ops/scan-sequence.js';
import { randomTensor } from './compare.js';
import type { SequenceOp } from './sequences.js';

/** @param inputs x [2, 3, 4], weights and biases of 5 units and so many states, made when the test runs */
export function testSequenceMisfits(ours: SequenceOp, inputs: () => Tensor[], states: number): void {
  test('what does not fit is named', () => {
    tidy(() => {
      const [x, weightIh, weightHh, , , state] = inputs() as [
        Tensor3D,
        Tensor2D,
        Tensor2D,
        Tensor1D,
        Tensor1D,
        Tensor2D,
      ];
      const startingFrom = (start: SequenceState) => () =>
        ours(x, Array(states).fill(start), { weightIh, weightHh }, {});
      expect(startingFrom(reshape(state, [2, 1, 5]) as Tensor3D)).toThrow(
        'the initial hidden state must be [2, 5] or [1, 2, 5]; got [2,1,5]',
      );
      expect(startingFrom(randomTensor([1, 2, 4], 1) as Tensor3D)).toThrow(/initial hidden state must be/);
      expect(() => ours(reshape(x, [24]) as Tensor as Tensor3D, [state], { weightIh, weightHh }, {})).toThrow(
        'x must be [B, T, I] or [B, I]; got shape [24]',
      );
      const run =
        (x: SequenceInput | Tensor, weights: RecurrentWeights, options: SequenceOptions = {}) =>
        () =>
          ours(x as SequenceInput, Array(states).fill(state), weights, options);
      expect(run(randomTensor([2, 3, 9], 1), { weightIh, weightHh })).toThrow(/weightIh must be/);
      expect(run(x, { weightIh, weightHh: weightIh })).toThrow(/weightHh must be/);
      expect(run(x, { weightIh, weightHh, biasIh: randomTensor([2], 1) as Tensor1D })).toThrow(/biasIh must be/);
      expect(run(randomTensor([3, 3, 4], 1), { weightIh, weightHh })).toThrow(
        /initial hidden state must be \[3, 5\] or \[1, 3, 5\]/,
      );
      expect(run(x, { weightIh, weightHh }, { lengths: [3, 4] })).toThrow(
        /lengths must be whole numbers in \[0, 3\]; got 4/,
      );
      expect(run(x, { weightIh, weightHh }, { lengths: [3] })).toThrow(/one number for each of the 2 rows/);
      const table = randomTensor([7, 4], 1) as Tensor2D;
      const fromTable = (ids: number[], rows = table) =>
        run({ table: rows, ids: Int32Array.from(ids), shape: [2, 3] }, { weightIh, weightHh });
      expect(fromTable([0, 1, 2])).toThrow(/x.ids must be 2·3 numbers, as x.shape is \[2,3\]; got 3/);
      expect(fromTable([0, 1, 2, 3, 7, 5])).toThrow(/x.ids must be in \[0, 7\); got 7 at position 4/);
      expect(fromTable([0, 1, 2, 3, -1, 5])).toThrow(/x.ids must be in \[0, 7\); got -1 at position 4/);
      expect(fromTable([0, 1, 2, 3, 4, 5], x as Tensor as Tensor2D)).toThrow(
        /x.table must be \[V, I\]; got shape \[2,3,4\]/,
      );
      expect(fromTable([0, 1, 2, 3, 4, 5], randomTensor([7, 9], 1) as Tensor2D)).toThrow(
        /weightIh must be .*as x is \[2,3,9\]/,
      );
    });
  });
}
