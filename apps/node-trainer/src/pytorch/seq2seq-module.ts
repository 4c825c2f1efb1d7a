import type { ModelConfig } from '@seqloom/seq2seq';
import type { Lines } from './python.js';
import { featureSize } from './sizes.js';

interface OutputSizes {
  /** F */
  readonly features: number;
  /** E, where the weight is the target embedding. */
  readonly tied: number | null;
}

/** The output layer where it is more than linear, then the whole model. */
export function seq2SeqModule(config: ModelConfig): Lines[] {
  const sizes = outputSizes(config);
  const { features, tied } = sizes;
  const { copy: copies } = config.kind === 'transformer' ? config.transformer : config.decoder;
  const ownClass = copies || (tied !== null && tied !== features);
  const output = ownClass ? 'Output()' : `nn.Linear(${features}, ${config.targetVocabulary})`;
  return [
    copies && config.copyMap !== null ? copyMapOf(config.copyMap) : [],
    ownClass ? outputClass(sizes, config, copies) : [],
    [
      'class Seq2Seq(nn.Module):',
      '    """The whole model; parameters have the names they have in model.safetensors."""',
      '',
      '    def __init__(self):',
      '        super().__init__()',
      '        self.encoder = Encoder()',
      `        self.decoder = Decoder(${config.shareEmbeddings ? 'self.encoder.embedding' : ''})`,
      `        self.output = ${output}`,
      tied !== null && '        self.output.weight = self.decoder.embedding.weight',
      '',
      '    def forward(self, source, lengths, target):',
      `        """Source ids [B, S], how many of each row are real (1 or more) [B], target ids [B, T] with <bos> first`,
      '        -> logits [B, T, V] of each next token."""',
      '        mask = torch.arange(source.shape[1], device=source.device) < lengths[:, None]  # [B, S]',
      ...forward(config, copies),
      '',
      '    def load(self, path=WEIGHTS):',
      '        """Takes the values of a safetensors file; names and shapes must be this model\'s."""',
      '        weights = read_safetensors(path)',
      '        parameters = dict(self.named_parameters())  # a tied one once, under its first name',
      '        if weights.keys() != parameters.keys():',
      '            raise ValueError(f"{path}: names differ: {sorted(weights.keys() ^ parameters.keys())}")',
      '        with torch.no_grad():',
      '            for name, parameter in parameters.items():',
      '                if weights[name].shape != parameter.shape:',
      '                    raise ValueError(f"{path}: {name} must be {[*parameter.shape]}; got {[*weights[name].shape]}")',
      '                parameter.copy_(weights[name])',
      '        return self',
      '',
      '    def save(self, path=WEIGHTS):',
      '        """Writes what `load` reads, and `seqloom import --from pytorch`."""',
      '        write_safetensors(path, dict(self.named_parameters()))',
    ],
  ];
}

function forward({ kind }: ModelConfig, copies: boolean): Lines {
  const recurrent = kind === 'recurrent';
  const decoded = `self.decoder(target, memory, mask${recurrent ? ', state' : ''})`;
  return [
    recurrent ? '        memory, state = self.encoder(source, lengths)' : '        memory = self.encoder(source, mask)',
    ...(copies
      ? [`        features, weights = ${decoded}`, '        return self.output(features, weights, source)']
      : [`        return self.output(${decoded})`]),
  ];
}

/** `COPY_MAP`, as many ids a line as fit. */
function copyMapOf(copyMap: readonly number[]): Lines {
  const lines: string[] = [];
  for (const id of copyMap) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + String(id).length + 2 <= 118) lines[lines.length - 1] = `${last} ${id},`;
    else lines.push(`    ${id},`);
  }
  return ['# For each source id the target id that copying it says.', 'COPY_MAP = [', ...lines, ']'];
}

function outputClass({ features, tied }: OutputSizes, config: ModelConfig, copies: boolean): Lines {
  const { targetVocabulary: vocabulary, copyMap } = config;
  const projects = tied !== null && tied !== features;
  const scores = `super().forward(${projects ? 'self.projection(features)' : 'features'})`;
  return [
    'class Output(nn.Linear):',
    `    """Features [B, T, F] -> ${copies ? 'log P [B, T, V]: a token is generated, or copied from where attention points' : 'scores [B, T, V]'}."""`,
    '',
    '    def __init__(self):',
    `        super().__init__(${projects ? tied : features}, ${vocabulary})`,
    projects && `        self.projection = nn.Linear(${features}, ${tied}, bias=False)`,
    copies && `        self.gate = nn.Linear(${features}, 1)`,
    copies && copyMap !== null && '        self.register_buffer("copy_map", torch.tensor(COPY_MAP), persistent=False)',
    '',
    ...(copies
      ? [
          '    def forward(self, features, weights, source):',
          '        gate = torch.sigmoid(self.gate(features))  # [B, T, 1]',
          `        generated = ${scores}.softmax(-1)`,
          `        places = ${copyMap === null ? 'source' : 'self.copy_map[source]'}[:, None].expand_as(weights)  # [B, T, S]`,
          '        copied = torch.zeros_like(generated).scatter_add(-1, places, weights)',
          '        return (gate * generated + (1 - gate) * copied + 1e-12).log()',
        ]
      : ['    def forward(self, features):', `        return ${scores}`]),
  ];
}

function outputSizes(config: ModelConfig): OutputSizes {
  if (config.kind === 'transformer') {
    const { size, tieEmbeddings } = config.transformer;
    return { features: size, tied: tieEmbeddings ? size : null };
  }
  const { embeddingSize, tieEmbeddings } = config.decoder;
  return { features: featureSize(config), tied: tieEmbeddings ? embeddingSize : null };
}
