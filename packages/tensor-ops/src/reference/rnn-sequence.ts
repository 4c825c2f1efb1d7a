import { add, relu, type Tensor2D, tanh, zeros } from '@tensorflow/tfjs-core';
import type { RecurrentWeights } from '../ops/recurrence/inputs.js';
import {
  inputShape,
  type SequenceInput,
  type SequenceOutput,
  type SequenceState,
} from '../ops/recurrence/sequence-input.js';
import type { RnnOptions } from '../ops/rnn-sequence.js';
import { scanSequence } from '../ops/scan-sequence.js';
import { linearReference } from './linear.js';

/** h' = f(W_ih x + b_ih + W_hh h + b_hh) over time, composed of tfjs ops; shapes as in `rnnSequence`. */
export function rnnSequenceReference<X extends SequenceInput, S extends SequenceState = Tensor2D>(
  x: X,
  initial: S | null,
  { weightIh, weightHh, biasIh, biasHh }: RecurrentWeights,
  { nonlinearity = 'tanh', ...options }: RnnOptions = {},
): { output: SequenceOutput<X>; state: S } {
  const H = weightHh.shape[1];
  const activation = nonlinearity === 'tanh' ? tanh : relu;
  const { output, state } = scanSequence(
    x,
    [initial ?? (zeros([inputShape(x)[0], H]) as S)],
    (xt, [h]) => [
      activation(add(linearReference(xt, weightIh, biasIh), linearReference(h!, weightHh, biasHh))) as Tensor2D,
    ],
    options,
  );
  return { output, state: state[0]! };
}
