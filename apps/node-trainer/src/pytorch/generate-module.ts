// model.py: one plain nn.Module with exactly the parts that a configuration has.
import type { ModelConfig } from '@seqloom/seq2seq';
import { attention } from './attention.js';
import { bridge } from './bridge.js';
import { joinBlocks, type Lines } from './python.js';
import { recurrentDecoder } from './recurrent-decoder.js';
import { goesAround, recurrentEncoder } from './recurrent-encoder.js';
import { refuseUnsupported } from './refuse.js';
import { residualLayers } from './residual.js';
import { safetensorsFunctions } from './safetensors-python.js';
import { seq2SeqModule } from './seq2seq-module.js';
import { transformer } from './transformer.js';

/**
 * The text of model.py, for torch 1.13 and later: the same outputs as the model's under teacher forcing, under the same
 * parameter names.
 *
 * @throws InputError naming what of the configuration has no counterpart
 */
export function generateModule(config: ModelConfig): string {
  refuseUnsupported(config);
  const body = joinBlocks([
    ...safetensorsFunctions,
    ...(config.kind === 'transformer' ? transformer(config) : recurrent(config)),
    ...seq2SeqModule(config),
    check,
  ]);
  return `${joinBlocks([head(config, body)])}\n\n${body}`;
}

function recurrent(config: Extract<ModelConfig, { kind: 'recurrent' }>): Lines[] {
  const score = config.decoder.attention === null ? [] : attention(config).definition;
  const around = goesAround(config.encoder) || goesAround(config.decoder) ? residualLayers : [];
  return [around, recurrentEncoder(config), score, bridge(config), recurrentDecoder(config)];
}

function head(config: ModelConfig, body: string): Lines {
  return [
    '"""A sequence-to-sequence model, written by `seqloom export --to pytorch`.',
    '',
    'model = Seq2Seq().load() takes the weights of model.safetensors beside this file; model(source, lengths, target) gives',
    'logits; model.save(path) writes weights that `seqloom import --from pytorch path` brings back.',
    '`python model.py check` prints the logits of {"source": [[...]], "lengths": [...], "target": [[...]]} on standard input.',
    '"""',
    'import json',
    /\bmath\./.test(body) && 'import math',
    'import struct',
    'import sys',
    'from pathlib import Path',
    '',
    'import torch',
    'from torch import nn',
    /\bF\./.test(body) && 'from torch.nn import functional as F',
    config.kind === 'recurrent' && 'from torch.nn.utils.rnn import pack_padded_sequence, pad_packed_sequence',
    '',
    'WEIGHTS = Path(__file__).with_name("model.safetensors")',
    `PAD, UNK, BOS, EOS = ${config.padId}, ${config.unkId}, ${config.bosId}, ${config.eosId}`,
  ];
}

const check: Lines = [
  'if __name__ == "__main__":',
  '    if sys.argv[1:] != ["check"]:',
  '        sys.exit("usage: python model.py check < ids.json")',
  '    ids = json.load(sys.stdin)',
  '    model = Seq2Seq().load().eval()',
  '    with torch.no_grad():',
  '        logits = model(*(torch.tensor(ids[name]) for name in ("source", "lengths", "target")))',
  '    print(json.dumps(logits.tolist()))',
];
