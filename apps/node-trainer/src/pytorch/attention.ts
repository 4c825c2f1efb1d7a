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

export function attention(config: RecurrentConfig): PythonAttention {
  const { attention: score, attentionSize: A, attentionHeads } = config.decoder;
  const [Q, M] = [querySize(config), encoderOutputSize(config)];
  switch (score!) {
    case 'dot':
      return ownClass({ formula: 'query · key', scores: 'query @ memory.transpose(1, 2)' });
    case 'scaled-dot':
      return ownClass({ formula: 'query · key / √Q', scores: `query @ memory.transpose(1, 2) / math.sqrt(${Q})` });
    case 'general':
      return ownClass({
        formula: 'queryᵀ W key',
        init: [`self.weight = ${parameter([Q, M], M)}`],
        keys: 'F.linear(memory, self.weight)',
        scores: 'query @ keys.transpose(1, 2)',
      });
    case 'additive':
      return ownClass({
        formula: 'v · tanh(W₁ query + W₂ key)',
        init: [
          `self.query = nn.Linear(${Q}, ${A}, bias=False)`,
          `self.memory = nn.Linear(${M}, ${A}, bias=False)`,
          scoreVector(A),
        ],
        keys: 'self.memory(memory)',
        scores: 'torch.tanh(self.query(query)[:, :, None] + keys[:, None]) @ self.score["v"]',
      });
    case 'concat':
      return ownClass({
        formula: 'v · tanh(W [query; key])',
        init: [`self.weight = ${parameter([A, Q + M], Q + M)}`, scoreVector(A)],
        keys: `F.linear(memory, self.weight[:, ${Q}:])`,
        scores: `torch.tanh(F.linear(query, self.weight[:, :${Q}])[:, :, None] + keys[:, None]) @ self.score["v"]`,
      });
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
  /** What keys are made of memory; the memory is the keys where left out. */
  readonly keys?: string;
  /** [B, T, S] */
  readonly scores: string;
}

function ownClass({ formula, init, keys, scores }: Score): PythonAttention {
  const given = `${keys ? 'keys, ' : ''}memory, mask`;
  return {
    definition: [
      'class Attention(nn.Module):',
      `    """softmax(${formula}) over real source tokens, and the mean of the memory [B, S, M] under these weights."""`,
      '',
      ...(init
        ? ['    def __init__(self):', '        super().__init__()', ...init.map((line) => `        ${line}`), '']
        : []),
      ...(keys
        ? ['    def keys(self, memory):', '        """Once a source."""', `        return ${keys}  # [B, S, A]`, '']
        : []),
      `    def forward(self, query, ${given}):`,
      `        scores = ${scores}  # [B, T, S]`,
      '        weights = scores.masked_fill(~mask[:, None], -math.inf).softmax(-1)',
      '        return weights @ memory',
    ],
    create: 'Attention()',
    prepare: keys ? '        keys = self.attention.keys(memory)' : false,
    attend: (query) => `context = self.attention(${query}, ${given})`,
  };
}

/** The v of an additive score, under the name `score.v`. */
function scoreVector(size: number): string {
  return `self.score = nn.ParameterDict({"v": ${parameter([size], size)}})`;
}

/** A parameter whose first values are as small as those of a linear layer of `inputSize`. */
function parameter(shape: readonly number[], inputSize: number): string {
  return `nn.Parameter((2 * torch.rand(${shape.join(', ')}) - 1) / math.sqrt(${inputSize}))`;
}
