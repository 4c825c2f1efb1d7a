import {
  add,
  mul,
  sigmoid,
  split,
  sub,
  type Tensor1D,
  type Tensor2D,
  type Tensor3D,
  tanh,
  zeros,
} from '@tensorflow/tfjs-core';
import type { GruOptions } from '../ops/gru-sequence.js';
import type { RecurrentWeights } from '../ops/recurrence/inputs.js';
import { inputShape, type SequenceInput } from '../ops/recurrence/sequence-input.js';
import { scanSequence } from '../ops/scan-sequence.js';
import { linearReference } from './linear.js';

/** The GRU over time composed of tfjs ops; shapes and formulas as in `gruSequence`. */
export function gruSequenceReference(
  x: SequenceInput,
  initial: Tensor2D | null,
  { weightIh, weightHh, biasIh, biasHh }: RecurrentWeights,
  { resetAfter = true, ...options }: GruOptions = {},
): { output: Tensor3D; state: Tensor2D } {
  const H = weightHh.shape[1];
  const [hiddenGates, hiddenNew] = split(weightHh, [2 * H, H], 0) as [Tensor2D, Tensor2D];
  const [biasGates, biasNew] = (biasHh ? split(biasHh, [2 * H, H], 0) : []) as Tensor1D[];
  const { output, state } = scanSequence(
    x,
    [initial ?? zeros([inputShape(x)[0], H])],
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
