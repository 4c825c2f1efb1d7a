import { packRecurrent, rnnSequence, type SequenceInput, type SequenceState } from '@seqloom/tensor-ops';
import type { Tensor2D } from '@tensorflow/tfjs-core';
import { type CellOptions, RecurrentCell, type ScanOptions } from '../cell.js';
import type { CellState } from '../state.js';

export interface RNNCellOptions extends CellOptions {
  /** 'tanh' where left out. */
  nonlinearity?: 'tanh' | 'relu' | undefined;
}

/** h' = f(W_ih x + b_ih + W_hh h + b_hh), PyTorch's nn.RNNCell (Elman 1990). */
export class RNNCell extends RecurrentCell {
  private readonly nonlinearity: 'tanh' | 'relu';

  constructor({ nonlinearity = 'tanh', ...options }: RNNCellOptions) {
    super(1, options);
    this.nonlinearity = nonlinearity;
  }

  override scan<X extends SequenceInput, S extends SequenceState = Tensor2D>(
    x: X,
    initial: CellState<S> | null,
    { weights = this.weights(), ...options }: ScanOptions = {},
  ) {
    const { nonlinearity } = this;
    const { output, state } = rnnSequence(x, initial?.hidden ?? null, weights, { ...options, nonlinearity });
    return { output, state: { hidden: state } };
  }

  override pack() {
    return packRecurrent('rnn', this.weights());
  }
}
