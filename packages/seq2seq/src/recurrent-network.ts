import { createRecurrent, type Recurrent } from '@seqloom/rnn';

export interface RecurrentNetworkOptions {
  cell: 'rnn' | 'gru' | 'lstm';
  nonlinearity: 'tanh' | 'relu';
  inputSize: number;
  hiddenSize: number;
  numLayers: number;
  bidirectional?: boolean;
  dropout: number;
  residual: boolean;
  seed: number;
}

/** The recurrent layers that a configuration names. */
export function recurrentNetwork({ cell, nonlinearity, ...options }: RecurrentNetworkOptions): Recurrent {
  return createRecurrent(cell === 'rnn' ? { cell, nonlinearity, ...options } : { cell, ...options });
}
