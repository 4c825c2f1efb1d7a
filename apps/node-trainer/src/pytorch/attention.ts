import type { RecurrentConfig } from '@seqloom/seq2seq';
import { call, type Lines } from './python.js';
import { encoderOutputSize, querySize } from './sizes.js';

/** How a score is said in Python. */
export interface PythonAttention {
  /** The class, where PyTorch has none. */
  readonly definition: Lines;
  /** What makes the decoder's `attention`. */
  readonly create: string;
  /** What is computed once a source, before the steps. */
  readonly prepare: string | false;
  /** `context = …` of queries [B, T, Q]. */
  readonly attend: (query: string) => string;
}

const prepare = '        keys = self.attention.keys(memory)';
const attend = (query: string) => `context = self.attention(${query}, keys, memory, mask)`;

export function attention(config: RecurrentConfig): PythonAttention {
  const { attention: score, attentionSize, attentionHeads } = config.decoder;
  const [Q, M, A] = [querySize(config), encoderOutputSize(config), attentionSize];
  switch (score!) {
    case 'dot':
    case 'scaled-dot':
      return {
        definition: definition({
          formula: score === 'dot' ? 'query · key' : 'query · key / √Q',
          keys: false,
          scores: `query @ memory.transpose(1, 2)${score === 'dot' ? '' : ' / math.sqrt(query.shape[-1])'}`,
        }),
        create: 'Attention()',
        prepare: false,
        attend: (query) => `context = self.attention(${query}, memory, mask)`,
      };
    case 'general':
      return {
        definition: definition({
          formula: 'queryᵀ W key',
          init: [`self.weight = ${uniform([Q, M], M)}`],
          keys: 'F.linear(memory, self.weight)',
          scores: 'query @ keys.transpose(1, 2)',
        }),
        create: 'Attention()',
        prepare,
        attend,
      };
    case 'additive':
      return {
        definition: definition({
          formula: 'v · tanh(W₁ query + W₂ key)',
          init: [
            `self.query = nn.Linear(${Q}, ${A}, bias=False)`,
            `self.memory = nn.Linear(${M}, ${A}, bias=False)`,
            `self.score = nn.ParameterDict({"v": ${uniform([A], A)}})`,
          ],
          keys: 'self.memory(memory)',
          scores: 'torch.tanh(self.query(query)[:, :, None] + keys[:, None]) @ self.score["v"]',
        }),
        create: 'Attention()',
        prepare,
        attend,
      };
    case 'concat':
      return {
        definition: definition({
          formula: 'v · tanh(W [query; key])',
          init: [
            `self.weight = ${uniform([A, Q + M], Q + M)}`,
            `self.score = nn.ParameterDict({"v": ${uniform([A], A)}})`,
          ],
          keys: `F.linear(memory, self.weight[:, ${Q}:])`,
          scores: `torch.tanh(F.linear(query, self.weight[:, :${Q}])[:, :, None] + keys[:, None]) @ self.score["v"]`,
        }),
        create: 'Attention()',
        prepare,
        attend,
      };
    case 'multi-head':
      return {
        definition: [],
        create: call('nn.MultiheadAttention', [Q, attentionHeads], {
          ...(M !== Q && { kdim: M, vdim: M }),
          batch_first: 'True',
        }),
        prepare: false,
        attend: (query) =>
          `context, _ = self.attention(${query}, memory, memory, key_padding_mask=~mask, need_weights=False)`,
      };
  }
}

interface Score {
  readonly formula: string;
  readonly init?: readonly string[];
  /** What keys are made of memory, or false where the memory is the keys. */
  readonly keys: string | false;
  readonly scores: string;
}

function definition({ formula, init = [], keys, scores }: Score): Lines {
  return [
    'class Attention(nn.Module):',
    `    """softmax over real source tokens of ${formula}, then the weighted mean of the memory [B, S, M]."""`,
    '',
    ...(init.length > 0
      ? ['    def __init__(self):', '        super().__init__()', ...init.map((line) => `        ${line}`), '']
      : []),
    ...(keys === false
      ? []
      : ['    def keys(self, memory):', '        """Once a source."""', `        return ${keys}`, '']),
    `    def forward(self, query, ${keys === false ? '' : 'keys, '}memory, mask):`,
    `        scores = ${scores}  # [B, T, S]`,
    '        weights = scores.masked_fill(~mask[:, None], -math.inf).softmax(-1)',
    '        return weights @ memory',
  ];
}

/** A parameter from the uniform distribution as wide as a linear layer's of `inputSize`. */
function uniform(shape: readonly number[], inputSize: number): string {
  const bound = `1 / math.sqrt(${inputSize})`;
  return `nn.Parameter(torch.empty(${shape.join(', ')}).uniform_(-${bound}, ${bound}))`;
}
