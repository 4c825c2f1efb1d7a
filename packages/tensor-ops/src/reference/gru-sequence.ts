import { add, mul, sigmoid, split, sub, type Tensor1D, type Tensor2D, tanh, zeros } from '@tensorflow/tfjs-core';
import type { GruOptions } from '../ops/gru-sequence.js';
import type { RecurrentWeights } from '../ops/recurrence/inputs.js';
import {
  inputShape,
  type SequenceInput,
  type SequenceOutput,
  type SequenceState,
} from '../ops/recurrence/sequence-input.js';
import { scanSequence } from '../ops/scan-sequence.js';
import { linearReference } from './linear.js';

/** The GRU over time composed of tfjs ops; shapes and formulas as in `gruSequence`. */
export function gruSequenceReference<X extends SequenceInput, S extends SequenceState = Tensor2D>(
  x: X,
  initial: S | null,
  { weightIh, weightHh, biasIh, biasHh }: RecurrentWeights,
  { resetAfter = true, ...options }: GruOptions = {},
): { output: SequenceOutput<X>; state: S } {
  const H = weightHh.shape[1];
  const [hiddenGates, hiddenNew] = split(weightHh, [2 * H, H], 0) as [Tensor2D, Tensor2D];
  const [biasGates, biasNew] = (biasHh ? split(biasHh, [2 * H, H], 0) : []) as Tensor1D[];
  const { output, state } = scanSequence(
    x,
    [initial ?? (zeros([inputShape(x)[0], H]) as S)],
    (xt, [h]) => {
      const [xr, xz, xn] = split(linearReference(xt, weightIh, biasIh), 3, 1) as [Tensor2D, Tensor2D, Tensor2D];
      const [hr, hz] = split(linearReference(h!, hiddenGates, biasGates), 2, 1) as [Tensor2D, Tensor2D];
      const r = sigmoid(add(xr, hr));
      const z = sigmoid(add(xz, hz));
      const hn = resetAfter
        ? mul(r, linearReference(h!, hiddenNew, biasNew))
        : linearReference(mul(r, h!), hiddenNew, biasNew);
      const n = tanh(add(xn, hn));
      return [add(n, mul(z, sub(h!, n))) as Tensor2D];
    },
    options,
  );
  return { output, state: state[0]! };
}
