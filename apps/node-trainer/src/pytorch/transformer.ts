import type { TransformerModelConfig } from '@seqloom/seq2seq';
import { call, dropped, type Lines } from './python.js';

/** Positions, encoder and decoder of a Transformer; its layers are PyTorch's own. */
export function transformer(config: TransformerModelConfig): Lines[] {
  const { positions, copy, norm } = config.transformer;
  return [
    positions === 'sinusoidal' ? sinusoids() : [],
    encoder(config),
    copy ? attendingLayer(norm) : [],
    decoder(config),
  ];
}

/** nn.TransformerDecoderLayer does not tell its weights, so the layer that copying reads them from is written out. */
function attendingLayer(norm: 'pre' | 'post'): Lines {
  const attended = 'self.multihead_attn(QUERY, memory, memory, key_padding_mask=memory_key_padding_mask)';
  const selfAttended = 'self.self_attn(QUERY, QUERY, QUERY, attn_mask=tgt_mask, need_weights=False)[0]';
  const fed = 'self.linear2(self.dropout(self.activation(self.linear1(QUERY))))';
  const of = (expression: string, query: string) => expression.replaceAll('QUERY', query);
  return [
    'class AttendingLayer(nn.TransformerDecoderLayer):',
    '    """The same, and the weights of the memory [B, T, S], the mean of the heads\'."""',
    '',
    '    def forward(self, x, memory, tgt_mask, memory_key_padding_mask):',
    ...(norm === 'pre'
      ? [
          '        y = self.norm1(x)',
          `        x = x + self.dropout1(${of(selfAttended, 'y')})`,
          `        context, weights = ${of(attended, 'self.norm2(x)')}`,
          '        x = x + self.dropout2(context)',
          '        y = self.norm3(x)',
          `        return x + self.dropout3(${of(fed, 'y')}), weights`,
        ]
      : [
          `        x = self.norm1(x + self.dropout1(${of(selfAttended, 'x')}))`,
          `        context, weights = ${of(attended, 'x')}`,
          '        x = self.norm2(x + self.dropout2(context))',
          `        return self.norm3(x + self.dropout3(${of(fed, 'x')})), weights`,
        ]),
  ];
}

function sinusoids(): Lines {
  return [
    'def positions(count, size, device):',
    '    """P(p, 2i) = sin(p / 10000^(2i/size)), P(p, 2i+1) = cos of the same, [count, size]."""',
    '    i = torch.arange(size, dtype=torch.float64)',
    '    angles = torch.arange(count)[:, None] / 10000 ** ((i - i % 2) / size)',
    '    return torch.where(i % 2 == 0, angles.sin(), angles.cos()).float().to(device)',
  ];
}

function encoder(config: TransformerModelConfig): Lines {
  const { sourceVocabulary, transformer } = config;
  return [
    'class Encoder(nn.Module):',
    '    """Source ids [B, S], true on real tokens [B, S] -> outputs [B, S, H]."""',
    '',
    '    def __init__(self):',
    '        super().__init__()',
    `        self.embedding = ${embedding(config, sourceVocabulary)}`,
    learnedPositions(config),
    ...layers(config, 'Encoder', transformer.encoderLayers),
    '',
    '    def forward(self, tokens, mask):',
    ...tokenVectors(config),
    '        for layer in self.layers:',
    '            x = layer(x, src_key_padding_mask=~mask)',
    '        return self.norm(x)',
  ];
}

function decoder(config: TransformerModelConfig): Lines {
  const { targetVocabulary, shareEmbeddings, transformer } = config;
  const { copy, decoderLayers } = transformer;
  const beside = copy ? ' and attention [B, T, S]' : '';
  const given = 'x, memory, tgt_mask=later, memory_key_padding_mask=~mask';
  return [
    'class Decoder(nn.Module):',
    `    """Target ids [B, T], <bos> first -> features [B, T, H]${beside}; no position sees a later one."""`,
    '',
    `    def __init__(self${shareEmbeddings ? ', embedding' : ''}):`,
    '        super().__init__()',
    `        self.embedding = ${shareEmbeddings ? 'embedding' : embedding(config, targetVocabulary)}`,
    learnedPositions(config),
    ...layers(config, 'Decoder', transformer.decoderLayers),
    '',
    '    def forward(self, tokens, memory, mask):',
    ...tokenVectors(config),
    '        later = torch.ones(tokens.shape[1], tokens.shape[1], dtype=torch.bool, device=tokens.device).triu(1)',
    ...(copy && decoderLayers === 1
      ? []
      : [`        for layer in self.layers${copy ? '[:-1]' : ''}:`, `            x = layer(${given})`]),
    ...(copy
      ? [`        x, weights = self.layers[-1](${given})`, '        return self.norm(x), weights']
      : ['        return self.norm(x)']),
  ];
}

function embedding({ transformer, padId }: TransformerModelConfig, vocabulary: number): string {
  return `nn.Embedding(${vocabulary}, ${transformer.size}, padding_idx=${padId})`;
}

function learnedPositions({ transformer: { positions, maxPositions, size } }: TransformerModelConfig): string | false {
  return positions === 'learned' && `        self.positions = nn.Embedding(${maxPositions}, ${size})`;
}

function layers({ transformer }: TransformerModelConfig, side: 'Encoder' | 'Decoder', count: number): Lines {
  const { size, numHeads, feedForwardSize, activation, norm, dropout, attentionDropout } = transformer;
  const copies = side === 'Decoder' && transformer.copy;
  const keywords = {
    dim_feedforward: feedForwardSize,
    dropout,
    activation: activation === 'relu' ? undefined : `"${activation}"`,
    batch_first: 'True',
    norm_first: norm === 'pre' ? 'True' : undefined,
  };
  const layer = (type: string) => call(type, [size, numHeads], keywords);
  const plain = copies ? count - 1 : count;
  const attentions = side === 'Encoder' ? ['self_attn'] : ['self_attn', 'multihead_attn'];
  return [
    ...(plain === 0
      ? ['        self.layers = nn.ModuleList()']
      : [
          '        self.layers = nn.ModuleList(',
          `            ${layer(`nn.Transformer${side}Layer`)}`,
          `            for _ in range(${plain})`,
          '        )',
        ]),
    ...(copies ? ['        self.layers.append(', `            ${layer('AttendingLayer')}`, '        )'] : []),
    ...(attentionDropout === dropout
      ? []
      : [
          '        for layer in self.layers:',
          ...attentions.map((name) => `            layer.${name}.dropout = ${attentionDropout}`),
        ]),
    `        self.norm = nn.LayerNorm(${size})`,
  ];
}

function tokenVectors({ transformer: { size, positions, dropout } }: TransformerModelConfig): Lines {
  const places =
    positions === 'learned'
      ? 'self.positions(torch.arange(tokens.shape[1], device=tokens.device))'
      : `positions(tokens.shape[1], ${size}, tokens.device)`;
  return [
    `        x = self.embedding(tokens) * math.sqrt(${size}) + ${places}`,
    dropout > 0 && `        x = ${dropped('x', dropout)}`,
  ];
}
