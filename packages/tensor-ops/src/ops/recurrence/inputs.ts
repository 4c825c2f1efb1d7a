// What the recurrent sequence ops share: their weights, and what has to fit.
import type { NamedTensorMap, Tensor1D, Tensor2D } from '@tensorflow/tfjs-core';
import { checkLengths } from '../../lengths.js';
import type { SequenceOptions } from '../scan-sequence.js';
import { checkInput, inputShape, isTable, type SequenceInput, type SequenceState } from './sequence-input.js';

/** A recurrent layer's weights as PyTorch stores them; G gates (RNN 1, GRU 3, LSTM 4) of H units each. */
export interface RecurrentWeights {
  /** [G·H, I] */
  weightIh: Tensor2D;
  /** [G·H, H] */
  weightHh: Tensor2D;
  /** [G·H] */
  biasIh?: Tensor1D | undefined;
  /** [G·H] */
  biasHh?: Tensor1D | undefined;
  /** The weights once more, packed by `packRecurrent`. */
  packedIh?: Tensor1D | undefined;
  packedHh?: Tensor1D | undefined;
}

/**
 * The inputs of a sequence op under the names its kernel and gradient know; those left out are absent.
 *
 * @throws Error naming the first shape or length that does not fit
 */
export function recurrentInputs(
  op: string,
  gates: number,
  x: SequenceInput,
  initial: { [name: string]: SequenceState | undefined },
  { weightIh, weightHh, biasIh, biasHh, packedIh, packedHh }: RecurrentWeights,
  { lengths }: SequenceOptions,
): NamedTensorMap {
  const [G, H] = weightHh.shape;
  checkInput(op, x);
  const [B, T, I] = inputShape(x);
  if (G !== gates * H) throw new Error(`${op}: weightHh must be [${gates}·H, H]; got [${weightHh.shape}]`);
  if (weightIh.shape[0] !== G || weightIh.shape[1] !== I) {
    throw new Error(`${op}: weightIh must be [${G}, ${I}], as x is [${[B, T, I]}]; got [${weightIh.shape}]`);
  }
  const inputs: NamedTensorMap = { x: isTable(x) ? x.table : x, weightIh, weightHh };
  if (packedIh && packedHh) Object.assign(inputs, { packedIh, packedHh });
  for (const [name, bias] of Object.entries({ biasIh, biasHh })) {
    if (!bias) continue;
    if (bias.shape.length !== 1 || bias.shape[0] !== G) {
      throw new Error(`${op}: ${name} must be [${G}], as weightHh is [${weightHh.shape}]; got [${bias.shape}]`);
    }
    inputs[name] = bias;
  }
  for (const [name, state] of Object.entries(initial)) {
    if (!state) continue;
    const { shape } = state;
    if (shape.at(-2) !== B || shape.at(-1) !== H || (shape.length !== 2 && (shape.length !== 3 || shape[0] !== 1))) {
      throw new Error(`${op}: the initial ${name} state must be [${B}, ${H}] or [1, ${B}, ${H}]; got [${shape}]`);
    }
    inputs[name] = state;
  }
  if (lengths) checkLengths(op, lengths, B, T);
  return inputs;
}
