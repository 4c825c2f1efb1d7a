// The simple (Elman) RNN over a whole sequence as one op.
import type { NamedAttrMap, Tensor, Tensor2D, Tensor3D } from '@tensorflow/tfjs-core';
import { rnnSequenceReference } from '../reference/rnn-sequence.js';
import { type RecurrentWeights, recurrentInputs } from './recurrent-weights.js';
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
 * @param x [B, T, I]
 * @param initial [B, H], or null for zeros
 * @param weights weightIh [H, I], weightHh [H, H], biasIh and biasHh [H] or none
 * @returns output [B, T, H], zero after each row's length; state [B, H] after each row's last real step
 * @throws Error when shapes or lengths do not fit
 * @see https://pytorch.org/docs/stable/generated/torch.nn.RNN.html
 */
export function rnnSequence(
  x: Tensor3D,
  initial: Tensor2D | null,
  weights: RecurrentWeights,
  options: RnnOptions = {},
): { output: Tensor3D; state: Tensor2D } {
  const { lengths, reverse = false, nonlinearity = 'tanh' } = options;
  const inputs = recurrentInputs('rnnSequence', 1, x, { hidden: initial ?? undefined }, weights, options);
  const attributes: NamedAttrMap = { reverse, nonlinearity, ...(lengths && { lengths: Array.from(lengths) }) };
  const [output, state] = runOp<Tensor[]>(RNN_SEQUENCE, inputs, attributes, () => {
    const { output, state } = rnnSequenceReference(x, initial, weights, options);
    return [output, state];
  });
  return { output: output as Tensor3D, state: state as Tensor2D };
}
