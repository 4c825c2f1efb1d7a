// The GRU over a whole sequence as one op.
import type { Tensor, Tensor2D } from '@tensorflow/tfjs-core';
import { gruSequenceReference } from '../reference/gru-sequence.js';
import { sequenceGradient } from './recurrence/backward.js';
import type { CellKernel, SequenceAttributes } from './recurrence/cell-kernel.js';
import { sequenceAttributes, sequenceKernel } from './recurrence/forward.js';
import { type RecurrentWeights, recurrentInputs } from './recurrence/inputs.js';
import type { SequenceInput, SequenceOutput, SequenceState } from './recurrence/sequence-input.js';
import { runOp } from './run-op.js';
import type { SequenceOptions } from './scan-sequence.js';

const GRU_SEQUENCE = 'SeqloomGruSequence';

export interface GruOptions extends SequenceOptions {
  /** Whether the reset gate scales the product of the state (PyTorch; true where left out) or the state itself (Cho et al. 2014). */
  resetAfter?: boolean | undefined;
}

/**
 * h_t = n_t + z_t (h_{t-1} - n_t), gates in the order r, z, n:
 * r = σ(W_ir x + b_ir + W_hr h + b_hr), z likewise, n = tanh(W_in x + b_in + r (W_hn h + b_hn)).
 * With `resetAfter: false` n = tanh(W_in x + b_in + W_hn (r h) + b_hn).
 *
 * @param x [B, T, I], or [B, I] for one step; or the same as rows of a table
 * @param initial [B, H] or [1, B, H], or null for zeros
 * @param weights weightIh [3H, I], weightHh [3H, H], biasIh and biasHh [3H] or none
 * @returns output [B, T, H], zero after each row's length, or [B, H] for one step [B, I]; the state after each row's last real
 *   step, of the initial one's shape
 * @throws Error when shapes or lengths do not fit, or a tensor is not of floats
 * @see Cho et al. 2014, eq. 5-8; https://pytorch.org/docs/stable/generated/torch.nn.GRU.html
 */
export function gruSequence<X extends SequenceInput, S extends SequenceState = Tensor2D>(
  x: X,
  initial: S | null,
  weights: RecurrentWeights,
  options: GruOptions = {},
): { output: SequenceOutput<X>; state: S } {
  const { resetAfter = true } = options;
  const inputs = recurrentInputs('gruSequence', 3, x, { hidden: initial ?? undefined }, weights, options);
  const attributes = sequenceAttributes(x, initial, options, { resetAfter });
  const [output, state] = runOp<Tensor[]>(GRU_SEQUENCE, inputs, attributes, () => {
    const { output, state } = gruSequenceReference(x, initial, weights, options);
    return [output, state];
  });
  return { output: output as SequenceOutput<X>, state: state as S };
}

/** A packed row is [n | r | z | m | h'], m = W_hn h' + b_hn: so the recurrent sums r, z, m lie side by side. */
const resetAfterCell: CellKernel = {
  slots: 5,
  gateSlots: 4,
  input: [
    { first: 0, count: 2, slot: 1 },
    { first: 2, count: 1, slot: 0 },
  ],
  recurrent: [{ first: 0, count: 3, slot: 1, source: 4 }],
  forward: ({ k, place, packed, states: [h], output, product }) => {
    product(0, h!, place[4]);
    k.gruForward(packed, h!, output, ...place);
  },
  backward: ({ k, place, packed, stateGradients: [dh], outputGradient, product }) => {
    k.gruBackward(packed, dh!, outputGradient, ...place);
    product(0, dh!, place[4], true);
  },
};

/** The same row with m = r h', whose product is part of n. */
const resetBeforeCell: CellKernel = {
  ...resetAfterCell,
  recurrent: [
    { first: 0, count: 2, slot: 1, source: 4 },
    { first: 2, count: 1, slot: 0, source: 3 },
  ],
  forward: ({ k, place, packed, states: [h], output, product }) => {
    const [, , , rows, H] = place;
    product(0, h!, H);
    k.gruReset(packed, h!, rows, H);
    product(1, packed + 3 * H * 4, 5 * H);
    k.gruUpdate(packed, h!, output, ...place);
  },
  backward: ({ k, place, packed, stateGradients: [dh], outputGradient, product }) => {
    const [, , , rows, H] = place;
    k.gruUpdateBackward(packed, dh!, outputGradient, ...place);
    product(1, packed + 3 * H * 4, 5 * H, false);
    k.gruResetBackward(packed, dh!, rows, H);
    product(0, dh!, H, true);
  },
};

/** The cell that the attributes ask for. */
export const gruCellOf = ({ resetAfter }: Pick<SequenceAttributes, 'resetAfter'>) =>
  resetAfter ? resetAfterCell : resetBeforeCell;

export const gruSequenceKernel = sequenceKernel(GRU_SEQUENCE, ['hidden'], gruCellOf);
export const gruSequenceGradient = sequenceGradient(GRU_SEQUENCE, ['hidden'], gruCellOf);
