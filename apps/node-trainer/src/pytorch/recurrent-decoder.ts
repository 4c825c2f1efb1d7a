import type { RecurrentConfig } from '@seqloom/seq2seq';
import { attention } from './attention.js';
import { topLayer } from './bridge.js';
import { dropped, type Lines } from './python.js';
import { recurrentNetwork } from './recurrent-encoder.js';
import { contextSize, encoderOutputSize } from './sizes.js';

/** What kinds of decoder differ in. */
interface Kind {
  readonly formula: string;
  /** I, what the recurrent layers read. */
  readonly inputSize: number;
  /** Layers beside embedding, attention, rnn and bridge. */
  readonly init: Lines;
  /** From `embedded` [B, T, E] to `features`, with `state`, `memory`, `mask` and `keys` at hand. */
  readonly forward: Lines;
}

export function recurrentDecoder(config: RecurrentConfig): Lines {
  const { decoder, shareEmbeddings, targetVocabulary, padId } = config;
  const { embeddingSize, embeddingDropout, outputDropout } = decoder;
  const { formula, inputSize, init, forward } = kindOf(config);
  const attends = decoder.attention === null ? null : attention(config);
  const embedding = `nn.Embedding(${targetVocabulary}, ${embeddingSize}, padding_idx=${padId})`;
  return [
    'class Decoder(nn.Module):',
    `    """Target ids [B, T], <bos> first -> features [B, T, F]${decoder.copy ? ' and attention [B, T, S]' : ''}:`,
    `    ${formula}."""`,
    '',
    `    def __init__(self${shareEmbeddings ? ', embedding' : ''}):`,
    '        super().__init__()',
    `        self.embedding = ${shareEmbeddings ? 'embedding' : embedding}`,
    attends !== null && `        self.attention = ${attends.create}`,
    `        self.rnn = ${recurrentNetwork(decoder, inputSize)}`,
    '        self.bridge = Bridge()',
    ...init,
    '',
    '    def forward(self, tokens, memory, mask, state):',
    `        embedded = ${dropped('self.embedding(tokens)', embeddingDropout)}  # [B, T, E]`,
    ...(attends?.prepare ?? []),
    repeatsContext(config) && `        summary = ${summaryOf(config)}  # [B, M]`,
    '        state = self.bridge(memory, mask, state)',
    ...forward,
    `        return ${dropped('features', outputDropout)}${decoder.copy ? ', weights' : ''}`,
  ];
}

function kindOf(config: RecurrentConfig): Kind {
  switch (config.decoder.kind) {
    case 'plain':
      return plain(config);
    case 'concat':
      return concat(config);
    case 'luong':
      return config.decoder.inputFeeding ? luongFeeding(config) : luong(config);
    case 'bahdanau':
      return bahdanau(config);
    case 'qkv':
      return qkv(config);
  }
}

function plain(config: RecurrentConfig): Kind {
  const { embeddingSize } = config.decoder;
  if (!repeatsContext(config)) {
    return {
      formula: 's = RNN(e, s)',
      inputSize: embeddingSize,
      init: [],
      forward: ['        features, _ = self.rnn(embedded, state)  # [B, T, H]'],
    };
  }
  return {
    formula: "s = RNN([e; h], s) of the encoder's last state h",
    inputSize: embeddingSize + encoderOutputSize(config),
    init: [],
    forward: [
      '        repeated = summary[:, None].expand(-1, tokens.shape[1], -1)  # [B, T, M]',
      '        features, _ = self.rnn(torch.cat([embedded, repeated], -1), state)  # [B, T, H]',
    ],
  };
}

function concat(config: RecurrentConfig): Kind {
  return {
    formula: 's = RNN(e, s), c = attention(s), [s; c]',
    inputSize: config.decoder.embeddingSize,
    init: [],
    forward: [
      '        output, _ = self.rnn(embedded, state)  # [B, T, H]',
      `        ${attention(config).attend('output')}  # [B, T, C]`,
      '        features = torch.cat([output, context], -1)',
    ],
  };
}

function luong(config: RecurrentConfig): Kind {
  return {
    formula: 's = RNN(e, s), c = attention(s), tanh(Wc [c; s] + b)',
    inputSize: config.decoder.embeddingSize,
    init: [combineAttentional(config)],
    forward: [
      '        output, _ = self.rnn(embedded, state)  # [B, T, H]',
      `        ${attention(config).attend('output')}  # [B, T, C]`,
      '        features = torch.tanh(self.combine(torch.cat([context, output], -1)))  # [B, T, H]',
    ],
  };
}

function luongFeeding(config: RecurrentConfig): Kind {
  const { embeddingSize, hiddenSize } = config.decoder;
  return {
    formula: 's = RNN([e; f], s), c = attention(s), f = tanh(Wc [c; s] + b), which enters the next step',
    inputSize: embeddingSize + hiddenSize,
    init: [combineAttentional(config)],
    forward: [
      `        fed = embedded.new_zeros(embedded.shape[0], 1, ${hiddenSize})`,
      `        ${config.decoder.copy ? 'steps, all_weights = [], []' : 'steps = []'}`,
      '        for x in embedded.split(1, 1):  # [B, 1, E]',
      '            output, state = self.rnn(torch.cat([x, fed], -1), state)',
      `            ${attention(config).attend('output')}`,
      config.decoder.copy && '            all_weights.append(weights)',
      '            fed = torch.tanh(self.combine(torch.cat([context, output], -1)))  # [B, 1, H]',
      '            steps.append(fed)',
      '        features = torch.cat(steps, 1)  # [B, T, H]',
      config.decoder.copy && '        weights = torch.cat(all_weights, 1)  # [B, T, S]',
    ],
  };
}

function combineAttentional(config: RecurrentConfig): string {
  const { hiddenSize, attentionBias } = config.decoder;
  const bias = attentionBias ? '' : ', bias=False';
  return `        self.combine = nn.Linear(${contextSize(config) + hiddenSize}, ${hiddenSize}${bias})`;
}

function bahdanau(config: RecurrentConfig): Kind {
  const { cell, embeddingSize, hiddenSize, readout, readoutSize } = config.decoder;
  const rawSize = hiddenSize + contextSize(config) + embeddingSize;
  const shaped = {
    none: false,
    tanh: '        features = torch.tanh(self.readout(raw))',
    maxout: `        features = self.readout(raw).unflatten(-1, (${readoutSize}, 2)).amax(-1)`,
  } as const;
  const said = { none: '[s; c; e]', tanh: 'tanh(W [s; c; e] + b)', maxout: 'the larger of pairs of W [s; c; e] + b' };
  return {
    formula: `c = attention(s), s = RNN([e; c], s), ${said[readout]}`,
    inputSize: embeddingSize + contextSize(config),
    init: [
      readout !== 'none' &&
        `        self.readout = nn.Linear(${rawSize}, ${readout === 'maxout' ? 2 * readoutSize : readoutSize})`,
    ],
    forward: [
      `        ${config.decoder.copy ? 'steps, all_weights = [], []' : 'steps = []'}`,
      '        for x in embedded.split(1, 1):  # [B, 1, E]',
      `            query = ${topLayer(cell === 'lstm' ? 'state[0]' : 'state', false)}[:, None]  # [B, 1, H]`,
      `            ${attention(config).attend('query')}`,
      config.decoder.copy && '            all_weights.append(weights)',
      '            output, state = self.rnn(torch.cat([x, context], -1), state)',
      '            steps.append(torch.cat([output, context, x], -1))',
      `        ${readout === 'none' ? 'features' : 'raw'} = torch.cat(steps, 1)  # [B, T, H + C + E]`,
      config.decoder.copy && '        weights = torch.cat(all_weights, 1)  # [B, T, S]',
      shaped[readout],
    ],
  };
}

function qkv(config: RecurrentConfig): Kind {
  const { embeddingSize, hiddenSize, contextInput } = config.decoder;
  const attended = `        ${attention(config).attend('embedded')}  # [B, T, C]`;
  if (contextInput === 'alone') {
    return {
      formula: 'c = attention(e), s = RNN(c, s)',
      inputSize: contextSize(config),
      init: [],
      forward: [attended, '        features, _ = self.rnn(context, state)  # [B, T, H]'],
    };
  }
  return {
    formula: 'c = attention(e), s = RNN(attn_combine([e; c]), s)',
    inputSize: hiddenSize,
    init: [`        self.attn_combine = nn.Linear(${embeddingSize + contextSize(config)}, ${hiddenSize})`],
    forward: [
      attended,
      '        combined = self.attn_combine(torch.cat([embedded, context], -1))',
      '        features, _ = self.rnn(combined, state)  # [B, T, H]',
    ],
  };
}

function repeatsContext({ decoder }: RecurrentConfig): boolean {
  return decoder.repeatContext;
}

function summaryOf({ encoder }: RecurrentConfig): string {
  return topLayer(encoder.cell === 'lstm' ? 'state[0]' : 'state', encoder.bidirectional);
}
