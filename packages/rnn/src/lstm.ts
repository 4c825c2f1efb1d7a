import { LSTMCell } from './cells/lstm.js';
import { Recurrent, type RecurrentOptions } from './stacked.js';

/**
 * PyTorch's nn.LSTM, batch first: c_t = σ(f) c_{t-1} + σ(i) tanh(g), h_t = σ(o) tanh(c_t).
 *
 * @see https://pytorch.org/docs/stable/generated/torch.nn.LSTM.html
 */
export class LSTM extends Recurrent {
  constructor(options: RecurrentOptions) {
    super('LSTM', options, true, (cell) => new LSTMCell(cell));
  }
}
