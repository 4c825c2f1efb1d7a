// A step function over time, composed of tfjs ops: it owns time, direction and lengths, the step owns the mathematics.
import {
  clone,
  reshape,
  stack,
  type Tensor,
  type Tensor2D,
  tensor2d,
  unstack,
  where,
  zeros,
  zerosLike,
} from '@tensorflow/tfjs-core';
import { checkLengths, type Lengths } from '../lengths.js';
import {
  everyStep,
  inputShape,
  isTable,
  type SequenceInput,
  type SequenceOutput,
  type SequenceState,
} from './recurrence/sequence-input.js';

/** Direction and padding of a recurrence. */
export interface SequenceOptions {
  /** Real steps of each row, 0 to T; all T where left out. */
  lengths?: Lengths | undefined;
  /** Runs from each row's last real step to its first. */
  reverse?: boolean | undefined;
}

/**
 * s_t = step(x_t, s_{t-1}) over the real steps of each row.
 *
 * Padding is never looked at: steps after a row's end keep its state and give zeros.
 *
 * @param x [B, T, I], or [B, I] for one step; or the same as rows of a table
 * @param initial one or more states, each [B, H] or [1, B, H]; the first is what is given out
 * @param step (x_t [B, I], states [B, H]) → states [B, H]
 * @returns output [B, T, H], or [B, H] for one step [B, I], the first state of every step; state, those after each row's last real
 *   step, of the initial ones' shapes
 * @throws Error when lengths do not fit
 */
export function scanSequence<X extends SequenceInput, S extends SequenceState>(
  x: X,
  initial: S[],
  step: (x: Tensor2D, state: Tensor2D[]) => Tensor2D[],
  { lengths, reverse = false }: SequenceOptions = {},
): { output: SequenceOutput<X>; state: S[] } {
  const [B, T, I] = inputShape(x);
  if (lengths) checkLengths('scanSequence', lengths, B, T);
  const H = initial[0]!.shape.at(-1)!;
  const shape: [number, number, number] | [number, number] = isTable(x) || x.rank === 3 ? [B, T, H] : [B, H];
  if (B === 0 || T === 0) return { output: zeros(shape) as SequenceOutput<X>, state: initial.map((s) => clone(s)) };
  const all = everyStep(x);
  const xs: Tensor2D[] = T === 1 ? [reshape(all, [B, I]) as Tensor2D] : (unstack(all, 1) as Tensor2D[]); // unstack has no gradient for a single one
  const outputs: Tensor[] = new Array(T);
  let state = initial.map((s) => shaped(s, [B, s.shape.at(-1)!]) as Tensor2D);
  for (let i = 0; i < T; i++) {
    const t = reverse ? T - 1 - i : i;
    const real = lengths && realRows(lengths, t);
    if (!real) {
      state = step(xs[t]!, state);
      outputs[t] = state[0]!;
      continue;
    }
    const next = step(where(real, xs[t]!, zerosLike(xs[t]!)), state); // a padding of NaN must not reach a gradient
    state = next.map((after, n) => where(real, after, state[n]!));
    outputs[t] = where(real, state[0]!, zerosLike(state[0]!));
  }
  return {
    output: (shape.length === 2 ? outputs[0] : stack(outputs, 1)) as SequenceOutput<X>,
    state: state.map((s, n) => shaped(s, initial[n]!.shape) as S),
  };
}

/** x itself where it is of that shape. */
function shaped(x: Tensor, shape: number[]): Tensor {
  return x.rank === shape.length ? x : reshape(x, shape);
}

/** [B, 1], true where step t is real; null where it is for every row. */
function realRows(lengths: Lengths, t: number): Tensor2D | null {
  const real = Array.from(lengths, (length) => length > t);
  return real.every(Boolean) ? null : tensor2d(real.map(Number), [real.length, 1], 'bool');
}
