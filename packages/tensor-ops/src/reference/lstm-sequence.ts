import { add, mul, sigmoid, split, type Tensor2D, tanh, zeros } from '@tensorflow/tfjs-core';
import type { LstmState } from '../ops/lstm-sequence.js';
import type { RecurrentWeights } from '../ops/recurrence/inputs.js';
import {
  inputShape,
  type SequenceInput,
  type SequenceOutput,
  type SequenceState,
} from '../ops/recurrence/sequence-input.js';
import { type SequenceOptions, scanSequence } from '../ops/scan-sequence.js';
import { linearReference } from './linear.js';

/** The LSTM over time composed of tfjs ops; shapes and formulas as in `lstmSequence`. */
export function lstmSequenceReference<X extends SequenceInput, S extends SequenceState = Tensor2D>(
  x: X,
  initial: LstmState<S> | null,
  { weightIh, weightHh, biasIh, biasHh }: RecurrentWeights,
  options: SequenceOptions = {},
): { output: SequenceOutput<X>; state: LstmState<S> } {
  const start = (given: S | undefined) => given ?? (zeros([inputShape(x)[0], weightHh.shape[1]]) as S);
  const { output, state } = scanSequence(
    x,
    [start(initial?.hidden), start(initial?.cell)],
    (xt, [h, c]) => {
      const gates = add(linearReference(xt, weightIh, biasIh), linearReference(h!, weightHh, biasHh));
      const [i, f, g, o] = split(gates, 4, 1) as [Tensor2D, Tensor2D, Tensor2D, Tensor2D];
      const cell = add(mul(sigmoid(f), c!), mul(sigmoid(i), tanh(g))) as Tensor2D;
      return [mul(sigmoid(o), tanh(cell)) as Tensor2D, cell];
    },
    options,
  );
  return { output, state: { hidden: state[0]!, cell: state[1]! } };
}
