import { GRU, type GRUOptions } from './gru.js';
import { LSTM, type LSTMOptions } from './lstm.js';
import { RNN, type RNNOptions } from './rnn.js';
import type { Recurrent } from './stacked.js';

/** The options of the layers that `cell` names. */
export type CreateRecurrentOptions =
  | ({ cell: 'rnn' } & RNNOptions)
  | ({ cell: 'gru' } & GRUOptions)
  | ({ cell: 'lstm' } & LSTMOptions);

/** An RNN, GRU or LSTM by name. @throws Error when there is none of that name. */
export function createRecurrent(options: CreateRecurrentOptions): Recurrent {
  switch (options.cell) {
    case 'rnn':
      return new RNN(options);
    case 'gru':
      return new GRU(options);
    case 'lstm':
      return new LSTM(options);
    default:
      throw new Error(`createRecurrent: cell must be rnn, gru or lstm; got ${(options as { cell: string }).cell}`);
  }
}
