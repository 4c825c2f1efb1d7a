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
  readonly prepare: Lines;
  /** `context = …` of queries [B, T, Q]; where the configuration needs them also `weights` [B, T, S] and `coverage` [B, 1, S]. */
  readonly attend: (query: string) => string;
}

/** The score of a decoder that attends. */
export function attention(config: RecurrentConfig): PythonAttention {
  const { decoder } = config;
  const { attention: score, attentionSize: A, attentionNormalized, attentionHeads, coverage, copy } = decoder;
  const [Q, M] = [querySize(config), encoderOutputSize(config)];
  const wanted = { coverage, weights: copy };
  switch (score!) {
    case 'dot':
      return ownClass({ formula: 'query · key', scores: 'query @ memory.transpose(1, 2)' }, wanted);
    case 'scaled-dot': {
      const scores = `query @ memory.transpose(1, 2) / math.sqrt(${Q})`;
      return ownClass({ formula: 'query · key / √Q', scores }, wanted);
    }
    case 'general':
      return ownClass(
        {
          formula: 'queryᵀ W key',
          init: [`self.weight = ${parameter([Q, M], M)}`],
          keys: 'F.linear(memory, self.weight)',
          scores: 'query @ keys.transpose(1, 2)',
        },
        wanted,
      );
    case 'additive':
      return ownClass(
        additive(
          {
            formula: 'W₁ query + W₂ key',
            init: [
              `self.query = nn.Linear(${Q}, ${A}, bias=False)`,
              `self.memory = nn.Linear(${M}, ${A}${attentionNormalized ? '' : ', bias=False'})`,
            ],
            keys: 'self.memory(memory)',
            queries: 'self.query(query)',
          },
          decoder,
        ),
        wanted,
      );
    case 'concat':
      return ownClass(
        additive(
          {
            formula: 'W [query; key]',
            init: [
              `self.weight = ${parameter([A, Q + M], Q + M)}`,
              ...(attentionNormalized ? [`self.bias = ${parameter([A], Q + M)}`] : []),
            ],
            keys: `F.linear(memory, self.weight[:, ${Q}:]${attentionNormalized ? ', self.bias' : ''})`,
            queries: `F.linear(query, self.weight[:, :${Q}])`,
          },
          decoder,
        ),
        wanted,
      );
    case 'multi-head':
      return {
        definition: [],
        create: call('nn.MultiheadAttention', [Q, attentionHeads], {
          ...(M !== Q && { kdim: M, vdim: M }),
          batch_first: 'True',
        }),
        prepare: [],
        attend: (query) => {
          const given = `${query}, memory, memory, key_padding_mask=~mask`;
          return copy
            ? `context, weights = self.attention(${given})`
            : `context, _ = self.attention(${given}, need_weights=False)`;
        },
      };
  }
}

interface Score {
  readonly formula: string;
  readonly init?: readonly string[];
  /** What keys are made of memory; the memory is the keys where left out. */
  readonly keys?: string;
  /** What `scores` calls `hidden`, where it does. */
  readonly hidden?: string;
  /** [B, T, S]; with coverage [B, 1, S] of `q`, one query after the other. */
  readonly scores: string;
  /** What is divided into `q`, where there is coverage. */
  readonly queries?: string;
}

/** v · tanh(queries + keys [+ coverage · u]); with g v/‖v‖ for v where normalised. */
function additive(
  { formula, init, keys, queries }: Required<Omit<Score, 'hidden' | 'scores'>>,
  { attentionSize, attentionNormalized, coverage }: RecurrentConfig['decoder'],
): Score {
  const length = `self.score["g"] = nn.Parameter(torch.tensor(1 / math.sqrt(${attentionSize})))`;
  const query = `${coverage ? 'q' : queries}[:, :, None]`;
  const covered = coverage ? ' + coverage[..., None] * self.coverage_weight' : '';
  return {
    formula: `${attentionNormalized ? 'g v/‖v‖' : 'v'} · tanh(${formula}${attentionNormalized ? ' + b' : ''}${coverage ? ' + coverage · u' : ''})`,
    init: [
      ...init,
      `self.score = nn.ParameterDict({"v": ${parameter([attentionSize], attentionSize)}})`,
      ...(attentionNormalized ? [length] : []),
      ...(coverage ? [`self.coverage_weight = nn.Parameter(torch.zeros(${attentionSize}))`] : []),
    ],
    keys,
    hidden: `torch.tanh(${query} + keys[:, None]${covered})`,
    scores: attentionNormalized
      ? 'hidden @ (self.score["v"] * (self.score["g"] / self.score["v"].norm()))'
      : 'hidden @ self.score["v"]',
    queries,
  };
}

/** What a decoder needs beside the context. */
interface Wanted {
  readonly weights: boolean;
  /** The sum of the weights so far, which the next step's score reads. */
  readonly coverage: boolean;
}

function ownClass({ formula, init, keys, hidden, scores, queries }: Score, wanted: Wanted): PythonAttention {
  const given = ['query', keys && 'keys', 'memory', 'mask', wanted.coverage && 'coverage'].filter(Boolean);
  const beside = [wanted.weights && ', weights', wanted.coverage && ', coverage'].filter(Boolean).join('');
  const softmax = 'scores.masked_fill(~mask[:, None], -math.inf).softmax(-1)';
  return {
    definition: [
      'class Attention(nn.Module):',
      `    """softmax(${formula}) over real source tokens,`,
      '    and the mean of the memory [B, S, M] under these weights."""',
      '',
      ...(init
        ? ['    def __init__(self):', '        super().__init__()', ...init.map((line) => `        ${line}`), '']
        : []),
      ...(keys
        ? ['    def keys(self, memory):', '        """Once a source."""', `        return ${keys}  # [B, S, A]`, '']
        : []),
      `    def forward(self, ${given.join(', ')}):`,
      ...(wanted.coverage
        ? [
            '        steps = []',
            `        for q in ${queries}.split(1, 1):  # [B, 1, A]`,
            `            hidden = ${hidden}`,
            `            scores = ${scores}`,
            `            steps.append(${softmax})`,
            '            coverage = coverage + steps[-1]  # [B, 1, S]',
            '        weights = torch.cat(steps, 1)  # [B, T, S]',
          ]
        : [
            ...(hidden ? [`        hidden = ${hidden}  # [B, T, S, A]`] : []),
            `        scores = ${scores}  # [B, T, S]`,
            `        weights = ${softmax}`,
          ]),
      `        return weights @ memory${beside}`,
    ],
    create: 'Attention()',
    prepare: [
      ...(keys ? ['        keys = self.attention.keys(memory)'] : []),
      ...(wanted.coverage ? ['        coverage = memory.new_zeros(memory.shape[0], 1, memory.shape[1])'] : []),
    ],
    attend: (query) => `context${beside} = self.attention(${[query, ...given.slice(1)].join(', ')})`,
  };
}

/** A parameter whose first values are as small as those of a linear layer of `inputSize`. */
function parameter(shape: readonly number[], inputSize: number): string {
  return `nn.Parameter((2 * torch.rand(${shape.join(', ')}) - 1) / math.sqrt(${inputSize}))`;
}
