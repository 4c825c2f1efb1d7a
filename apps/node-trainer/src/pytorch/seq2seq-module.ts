import type { ModelConfig } from '@seqloom/seq2seq';
import type { Lines } from './python.js';
import { featureSize } from './sizes.js';

interface OutputSizes {
  /** F */
  readonly features: number;
  /** E, where the weight is the target embedding. */
  readonly tied: number | null;
}

/** The output layer where a tied embedding is not as wide as the features, then the whole model. */
export function seq2SeqModule(config: ModelConfig): Lines[] {
  const recurrent = config.kind === 'recurrent';
  const sizes = outputSizes(config);
  const V = config.targetVocabulary;
  const projects = sizes.tied !== null && sizes.tied !== sizes.features;
  const output = projects ? 'Output()' : `nn.Linear(${sizes.features}, ${V})`;
  const projected: Lines = [
    'class Output(nn.Linear):',
    '    """Features [B, T, F] -> scores [B, T, V], by way of the size of token vectors."""',
    '',
    '    def __init__(self):',
    `        super().__init__(${sizes.tied}, ${V})`,
    `        self.projection = nn.Linear(${sizes.features}, ${sizes.tied}, bias=False)`,
    '',
    '    def forward(self, features):',
    '        return super().forward(self.projection(features))',
  ];
  return [
    projects ? projected : [],
    [
      'class Seq2Seq(nn.Module):',
      '    """The whole model; parameters have the names they have in model.safetensors."""',
      '',
      '    def __init__(self):',
      '        super().__init__()',
      '        self.encoder = Encoder()',
      `        self.decoder = Decoder(${config.shareEmbeddings ? 'self.encoder.embedding' : ''})`,
      `        self.output = ${output}`,
      sizes.tied !== null && '        self.output.weight = self.decoder.embedding.weight',
      '',
      '    def forward(self, source, lengths, target):',
      `        """Source ids [B, S], how many of each row are real (1 or more) [B], target ids [B, T] with <bos> first`,
      '        -> logits [B, T, V] of each next token."""',
      '        mask = torch.arange(source.shape[1], device=source.device) < lengths[:, None]  # [B, S]',
      ...(recurrent
        ? [
            '        memory, state = self.encoder(source, lengths)',
            '        return self.output(self.decoder(target, memory, mask, state))',
          ]
        : ['        return self.output(self.decoder(target, self.encoder(source, mask), mask))']),
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

function outputSizes(config: ModelConfig): OutputSizes {
  if (config.kind === 'transformer') {
    const { size, tieEmbeddings } = config.transformer;
    return { features: size, tied: tieEmbeddings ? size : null };
  }
  const { embeddingSize, tieEmbeddings } = config.decoder;
  return { features: featureSize(config), tied: tieEmbeddings ? embeddingSize : null };
}
