import { GRU, type GRUOptions } from './gru.js';
import { LSTM, type LSTMOptions } from './lstm.js';
import { RNN, type RNNOptions } from './rnn.js';
import type { Recurrent } from './stacked.js';

/** The options of the layers that `cell` names. */
export type CreateRecurrentOptions =
  | ({ cell: 'rnn' } & RNNOptions)
  | ({ cell: 'gru' } & GRUOptions)
  | ({ cell: 'lstm' } & LSTMOptions);

/**
 * An RNN, GRU or LSTM by name.
 *
 * @throws Error when there is none of that name
 * @example
 * const layers = createRecurrent({ cell: 'lstm', inputSize: 8, hiddenSize: 16, seed: 1 });
 * console.log([...layers.namedParameters().keys()].join(' ')); // → weight_ih_l0 weight_hh_l0 bias_ih_l0 bias_hh_l0
 */
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
