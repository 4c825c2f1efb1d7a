import { RNNCell } from './cells/rnn.js';
import { Recurrent, type RecurrentOptions } from './stacked.js';

export interface RNNOptions extends RecurrentOptions {
  /** 'tanh' where left out. */
  nonlinearity?: 'tanh' | 'relu' | undefined;
}

/**
 * PyTorch's nn.RNN, batch first: h_t = f(W_ih x_t + b_ih + W_hh h_{t-1} + b_hh).
 *
 * @see https://pytorch.org/docs/stable/generated/torch.nn.RNN.html
 * @example
 * const rnn = new RNN({ inputSize: 8, hiddenSize: 16, nonlinearity: 'relu', seed: 1 });
 * console.log(rnn.forward(tf.zeros([3, 7, 8])).output.shape.join()); // → 3,7,16
 */
export class RNN extends Recurrent {
  constructor(options: RNNOptions) {
    const { nonlinearity } = options;
    super('RNN', options, false, (cell) => new RNNCell({ ...cell, nonlinearity }));
  }
}
