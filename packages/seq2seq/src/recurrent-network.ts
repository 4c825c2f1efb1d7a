import { createRecurrent, type Recurrent } from '@seqloom/rnn';

export interface RecurrentNetworkOptions {
  cell: 'rnn' | 'gru' | 'lstm';
  nonlinearity: 'tanh' | 'relu';
  resetAfter: boolean;
  peephole: boolean;
  layerNorm: boolean;
  inputSize: number;
  hiddenSize: number;
  numLayers: number;
  bidirectional?: boolean;
  dropout: number;
  residual: boolean;
  seed: number;
}

/** The recurrent layers that a configuration names. */
export function recurrentNetwork(network: RecurrentNetworkOptions): Recurrent {
  const { cell, nonlinearity, resetAfter, peephole, layerNorm, ...options } = network;
  switch (cell) {
    case 'rnn':
      return createRecurrent({ cell, nonlinearity, ...options });
    case 'gru':
      return createRecurrent({ cell, resetAfter, layerNorm, ...options });
    case 'lstm':
      return createRecurrent({ cell, peephole, layerNorm, ...options });
  }
}
