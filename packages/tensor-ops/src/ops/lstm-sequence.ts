// The LSTM over a whole sequence as one op.
import type { Tensor, Tensor2D } from '@tensorflow/tfjs-core';
import { lstmSequenceReference } from '../reference/lstm-sequence.js';
import { sequenceGradient } from './recurrence/backward.js';
import type { CellKernel } from './recurrence/cell-kernel.js';
import { sequenceAttributes, sequenceKernel } from './recurrence/forward.js';
import { type RecurrentWeights, recurrentInputs } from './recurrence/inputs.js';
import type { SequenceInput, SequenceOutput, SequenceState } from './recurrence/sequence-input.js';
import { runOp } from './run-op.js';
import type { SequenceOptions } from './scan-sequence.js';

const LSTM_SEQUENCE = 'SeqloomLstmSequence';

/** What an LSTM carries from step to step, each [B, H] or [1, B, H]. */
export interface LstmState<S extends SequenceState = Tensor2D> {
  hidden: S;
  cell: S;
}

/**
 * c_t = σ(f) c_{t-1} + σ(i) tanh(g), h_t = σ(o) tanh(c_t), with i, f, g, o = W_ih x_t + b_ih + W_hh h_{t-1} + b_hh.
 *
 * @param x [B, T, I], or [B, I] for one step; or the same as rows of a table
 * @param initial hidden and cell state, each [B, H] or [1, B, H], or null for zeros
 * @param weights weightIh [4H, I], weightHh [4H, H], biasIh and biasHh [4H] or none
 * @returns output [B, T, H], zero after each row's length, or [B, H] for one step [B, I]; the state, hidden and cell, after each
 *   row's last real step, of the initial one's shape
 * @throws Error when shapes or lengths do not fit, or a tensor is not of floats
 * @see Hochreiter & Schmidhuber 1997 with the forget gate of Gers et al. 2000; https://pytorch.org/docs/stable/generated/torch.nn.LSTM.html
 */
export function lstmSequence<X extends SequenceInput, S extends SequenceState = Tensor2D>(
  x: X,
  initial: LstmState<S> | null,
  weights: RecurrentWeights,
  options: SequenceOptions = {},
): { output: SequenceOutput<X>; state: LstmState<S> } {
  const states = { hidden: initial?.hidden, cell: initial?.cell };
  const inputs = recurrentInputs('lstmSequence', 4, x, states, weights, options);
  const attributes = sequenceAttributes(x, initial, options);
  const [output, hidden, cell] = runOp<Tensor[]>(LSTM_SEQUENCE, inputs, attributes, () => {
    const { output, state } = lstmSequenceReference(x, initial, weights, options);
    return [output, state.hidden, state.cell];
  });
  return { output: output as SequenceOutput<X>, state: { hidden: hidden as S, cell: cell as S } };
}

/** A packed row is [i | f | g | o | c' | h']. */
export const lstmCellKernel: CellKernel = {
  slots: 6,
  gateSlots: 4,
  input: [{ first: 0, count: 4, slot: 0 }],
  recurrent: [{ first: 0, count: 4, slot: 0, source: 5 }],
  forward: ({ k, place, packed, states: [h, c], output, product }) => {
    product(0, h!, place[4]);
    k.lstmForward(packed, h!, c!, output, ...place);
  },
  backward: ({ k, place, packed, stateGradients: [dh, dc], outputGradient, product }) => {
    k.lstmBackward(packed, dh!, dc!, outputGradient, ...place);
    product(0, dh!, place[4], false);
  },
};

export const lstmSequenceKernel = sequenceKernel(LSTM_SEQUENCE, ['hidden', 'cell'], () => lstmCellKernel);
export const lstmSequenceGradient = sequenceGradient(LSTM_SEQUENCE, ['hidden', 'cell'], () => lstmCellKernel);
