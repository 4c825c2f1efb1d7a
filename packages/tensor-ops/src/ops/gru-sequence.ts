// The GRU over a whole sequence as one op.
import type { NamedAttrMap, Tensor, Tensor2D, Tensor3D } from '@tensorflow/tfjs-core';
import { gruSequenceReference } from '../reference/gru-sequence.js';
import { type RecurrentWeights, recurrentInputs } from './recurrent-weights.js';
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
 * @param x [B, T, I]
 * @param initial [B, H], or null for zeros
 * @param weights weightIh [3H, I], weightHh [3H, H], biasIh and biasHh [3H] or none
 * @returns output [B, T, H], zero after each row's length; state [B, H] after each row's last real step
 * @throws Error when shapes or lengths do not fit
 * @see Cho et al. 2014, eq. 5-8; https://pytorch.org/docs/stable/generated/torch.nn.GRU.html
 */
export function gruSequence(
  x: Tensor3D,
  initial: Tensor2D | null,
  weights: RecurrentWeights,
  options: GruOptions = {},
): { output: Tensor3D; state: Tensor2D } {
  const { lengths, reverse = false, resetAfter = true } = options;
  const inputs = recurrentInputs('gruSequence', 3, x, { hidden: initial ?? undefined }, weights, options);
  const attributes: NamedAttrMap = { reverse, resetAfter, ...(lengths && { lengths: Array.from(lengths) }) };
  const [output, state] = runOp<Tensor[]>(GRU_SEQUENCE, inputs, attributes, () => {
    const { output, state } = gruSequenceReference(x, initial, weights, options);
    return [output, state];
  });
  return { output: output as Tensor3D, state: state as Tensor2D };
}
