import type { RecurrentConfig } from '@seqloom/seq2seq';
import { call, dropped, type Lines } from './python.js';

interface Network {
  readonly cell: 'rnn' | 'gru' | 'lstm';
  readonly nonlinearity: 'tanh' | 'relu';
  readonly hiddenSize: number;
  readonly numLayers: number;
  readonly bidirectional?: boolean;
  readonly dropout: number;
  readonly residual: boolean;
}

/** Whether something is to be added; with one layer there is nothing to go around. */
export function goesAround({ residual, numLayers }: Pick<Network, 'residual' | 'numLayers'>): boolean {
  return residual && numLayers > 1;
}

/** `nn.GRU(…)` and its like, or `Residual(nn.GRU, …)`. */
export function recurrentNetwork(network: Network, inputSize: number): string {
  const { cell, nonlinearity, hiddenSize, numLayers, bidirectional, dropout } = network;
  const own = `nn.${cell.toUpperCase()}`;
  const [type, sizes] = goesAround(network)
    ? ['Residual', [own, inputSize, hiddenSize]]
    : [own, [inputSize, hiddenSize]];
  return call(type, sizes, {
    num_layers: numLayers > 1 ? numLayers : undefined,
    nonlinearity: nonlinearity === 'tanh' ? undefined : `"${nonlinearity}"`,
    batch_first: 'True',
    dropout: numLayers > 1 && dropout > 0 ? dropout : undefined,
    bidirectional: bidirectional ? 'True' : undefined,
  });
}

export function recurrentEncoder({ encoder, sourceVocabulary, padId }: RecurrentConfig): Lines {
  const { embeddingSize, embeddingDropout, outputDropout } = encoder;
  return [
    'class Encoder(nn.Module):',
    `    """Source ids [B, S] and their lengths -> outputs [B, S, M], zero after a row's end, and the last state."""`,
    '',
    '    def __init__(self):',
    '        super().__init__()',
    `        self.embedding = nn.Embedding(${sourceVocabulary}, ${embeddingSize}, padding_idx=${padId})`,
    `        self.rnn = ${recurrentNetwork(encoder, embeddingSize)}`,
    '',
    '    def forward(self, tokens, lengths):',
    `        embedded = ${dropped('self.embedding(tokens)', embeddingDropout)}  # [B, S, E]`,
    '        packed = pack_padded_sequence(embedded, lengths.cpu(), batch_first=True, enforce_sorted=False)',
    '        packed, state = self.rnn(packed)',
    '        output, _ = pad_packed_sequence(packed, batch_first=True, total_length=tokens.shape[1])  # [B, S, M]',
    `        return ${dropped('output', outputDropout)}, state`,
  ];
}
