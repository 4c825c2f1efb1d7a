// The simple (Elman) RNN over a whole sequence as one op.
import type { Tensor, Tensor2D } from '@tensorflow/tfjs-core';
import { rnnSequenceReference } from '../reference/rnn-sequence.js';
import { sequenceGradient } from './recurrence/backward.js';
import type { CellKernel } from './recurrence/cell-kernel.js';
import { sequenceAttributes, sequenceKernel } from './recurrence/forward.js';
import { type RecurrentWeights, recurrentInputs } from './recurrence/inputs.js';
import type { SequenceInput, SequenceOutput, SequenceState } from './recurrence/sequence-input.js';
import { runOp } from './run-op.js';
import type { SequenceOptions } from './scan-sequence.js';

const RNN_SEQUENCE = 'SeqloomRnnSequence';

export interface RnnOptions extends SequenceOptions {
  /** 'tanh' where left out. */
  nonlinearity?: 'tanh' | 'relu' | undefined;
}

/**
 * h_t = f(W_ih x_t + b_ih + W_hh h_{t-1} + b_hh).
 *
 * @param x [B, T, I], or [B, I] for one step; or the same as rows of a table
 * @param initial [B, H] or [1, B, H], or null for zeros
 * @param weights weightIh [H, I], weightHh [H, H], biasIh and biasHh [H] or none
 * @returns output [B, T, H], zero after each row's length, or [B, H] for one step [B, I]; the state after each row's last real
 *   step, of the initial one's shape
 * @throws Error when shapes or lengths do not fit, or a tensor is not of floats
 * @see https://pytorch.org/docs/stable/generated/torch.nn.RNN.html
 */
export function rnnSequence<X extends SequenceInput, S extends SequenceState = Tensor2D>(
  x: X,
  initial: S | null,
  weights: RecurrentWeights,
  options: RnnOptions = {},
): { output: SequenceOutput<X>; state: S } {
  const { nonlinearity = 'tanh' } = options;
  const inputs = recurrentInputs('rnnSequence', 1, x, { hidden: initial ?? undefined }, weights, options);
  const attributes = sequenceAttributes(x, initial, options, { relu: nonlinearity === 'relu' });
  const [output, state] = runOp<Tensor[]>(RNN_SEQUENCE, inputs, attributes, () => {
    const { output, state } = rnnSequenceReference(x, initial, weights, options);
    return [output, state];
  });
  return { output: output as SequenceOutput<X>, state: state as S };
}

export const rnnCellKernel: CellKernel = {
  slots: 2,
  gateSlots: 1,
  input: [{ first: 0, count: 1, slot: 0 }],
  recurrent: [{ first: 0, count: 1, slot: 0, source: 1 }],
  forward: ({ k, place, packed, states: [h], output, attributes, product }) => {
    product(0, h!, place[4]);
    k.rnnForward(packed, h!, output, ...place, attributes.relu!);
  },
  backward: ({ k, place, packed, stateGradients: [dh], outputGradient, attributes, product }) => {
    k.rnnBackward(packed, dh!, outputGradient, ...place, attributes.relu!);
    product(0, dh!, place[4], false);
  },
};

export const rnnSequenceKernel = sequenceKernel(RNN_SEQUENCE, ['hidden'], () => rnnCellKernel);
export const rnnSequenceGradient = sequenceGradient(RNN_SEQUENCE, ['hidden'], () => rnnCellKernel);
