import { add, relu, type Tensor2D, type Tensor3D, tanh, zeros } from '@tensorflow/tfjs-core';
import type { RecurrentWeights } from '../ops/recurrence/inputs.js';
import { inputShape, type SequenceInput } from '../ops/recurrence/sequence-input.js';
import type { RnnOptions } from '../ops/rnn-sequence.js';
import { scanSequence } from '../ops/scan-sequence.js';
import { linearReference } from './linear.js';

/** h' = f(W_ih x + b_ih + W_hh h + b_hh) over time, composed of tfjs ops; shapes as in `rnnSequence`. */
export function rnnSequenceReference(
  x: SequenceInput,
  initial: Tensor2D | null,
  { weightIh, weightHh, biasIh, biasHh }: RecurrentWeights,
  { nonlinearity = 'tanh', ...options }: RnnOptions = {},
): { output: Tensor3D; state: Tensor2D } {
  const H = weightHh.shape[1];
  const activation = nonlinearity === 'tanh' ? tanh : relu;
  const { output, state } = scanSequence(
    x,
    [initial ?? zeros([inputShape(x)[0], H])],
    (xt, [h]) => [
      activation(add(linearReference(xt, weightIh, biasIh), linearReference(h!, weightHh, biasHh))) as Tensor2D,
    ],
    options,
  );
  return { output, state: state[0]! };
}
