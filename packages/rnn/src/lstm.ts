import { LSTMCell } from './cells/lstm.js';
import { Recurrent, type RecurrentOptions } from './stacked.js';

export interface LSTMOptions extends RecurrentOptions {
  /** As in `LSTMCell`: false where left out. */
  peephole?: boolean | undefined;
  /** As in `LSTMCell`: false where left out. */
  layerNorm?: boolean | undefined;
}

/**
 * PyTorch's nn.LSTM, batch first: c_t = σ(f) c_{t-1} + σ(i) tanh(g), h_t = σ(o) tanh(c_t).
 *
 * @see https://pytorch.org/docs/stable/generated/torch.nn.LSTM.html
 * @example
 * const lstm = new LSTM({ inputSize: 8, hiddenSize: 16, seed: 1 });
 * const { output, state } = lstm.forward(tf.zeros([3, 7, 8]));
 * console.log(output.shape.join(), state.cell?.shape.join()); // → 3,7,16 1,3,16
 */
export class LSTM extends Recurrent {
  constructor(options: LSTMOptions) {
    const { peephole, layerNorm } = options;
    super('LSTM', options, true, (cell) => new LSTMCell({ ...cell, peephole, layerNorm }));
  }
}
