import type { RecurrentConfig } from '@seqloom/seq2seq';
import type { Lines } from './python.js';
import { encoderOutputSize } from './sizes.js';

/** From what the encoder ended with to the decoder's first state: a tensor, or a pair with an LSTM. */
export function bridge(config: RecurrentConfig): Lines {
  const { init, forward, formula } = parts(config);
  return [
    'class Bridge(nn.Module):',
    `    """The decoder's first state [layers, B, H]: ${formula}."""`,
    '',
    ...(init.length > 0 ? ['    def __init__(self):', '        super().__init__()', ...init, ''] : []),
    '    def forward(self, memory, mask, state):',
    ...forward,
  ];
}

function parts(config: RecurrentConfig): { init: string[]; forward: Lines; formula: string } {
  const { encoder, decoder } = config;
  const layers = decoder.numLayers;
  const hasCell = decoder.cell === 'lstm';
  const [hidden, cell] = encoder.cell === 'lstm' ? ['state[0]', 'state[1]'] : ['state', null];
  const zeros = `memory.new_zeros(${layers}, memory.shape[0], ${decoder.hiddenSize})`;
  const result = (first: string, second: string) => `        return ${hasCell ? `${first}, ${second}` : first}`;
  switch (config.bridge) {
    case 'zero':
      return { init: [], forward: [result(zeros, zeros)], formula: 'zeros' };
    case 'last': {
      const top = (of: string) => topLayers(of, layers, encoder.bidirectional);
      return {
        init: [],
        forward: [result(top(hidden), cell === null ? zeros : top(cell))],
        formula: "the encoder's last states of its topmost layers",
      };
    }
    case 'mean':
    case 'dense': {
      const mean = config.bridge === 'mean';
      const summary = mean ? 'memory.sum(1) / mask.sum(1, keepdim=True)' : topLayer(hidden, encoder.bidirectional);
      const cellSummary = mean || cell === null ? null : topLayer(cell, encoder.bidirectional);
      const names = Array.from({ length: layers }, (_, layer) => layer);
      const linear = `nn.Linear(${encoderOutputSize(config)}, ${decoder.hiddenSize})`;
      const stacked = (name: string, value: string) =>
        `torch.stack([${value} for layer in [${names.map((layer) => `self.${name}_l${layer}`).join(', ')}]])`;
      return {
        init: names.flatMap((layer) => [
          `        self.hidden_l${layer} = ${linear}`,
          ...(hasCell ? [`        self.cell_l${layer} = ${linear}`] : []),
        ]),
        forward: [
          `        summary = ${summary}  # [B, M]`,
          hasCell && cellSummary !== null && `        cell_summary = ${cellSummary}`,
          `        hidden = ${stacked('hidden', 'torch.tanh(layer(summary))')}`,
          hasCell && `        cell = ${stacked('cell', `layer(${cellSummary === null ? 'summary' : 'cell_summary'})`)}`,
          result('hidden', 'cell'),
        ],
        formula: mean ? 'tanh(W h + b) of the mean output' : "tanh(W h + b) of the topmost layer's last state",
      };
    }
  }
}

/** States are layer by layer, forward before backward: [2 · layers, B, H]. */
function topLayers(state: string, layers: number, bidirectional: boolean): string {
  if (!bidirectional) return `${state}[-${layers}:]`;
  return `torch.cat([${state}[-${2 * layers}::2], ${state}[-${2 * layers - 1}::2]], -1)`;
}

/** The topmost layer's last state [B, M], directions side by side. */
export function topLayer(state: string, bidirectional: boolean): string {
  return bidirectional ? `torch.cat([${state}[-2], ${state}[-1]], -1)` : `${state}[-1]`;
}
