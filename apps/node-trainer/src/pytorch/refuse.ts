import type { ModelConfig } from '@seqloom/seq2seq';
import { InputError } from '../errors.js';

/** @throws InputError naming what of a configuration `model.py` cannot say. */
export function refuseUnsupported(config: ModelConfig): void {
  for (const name of unsupported(config)) {
    throw new InputError(`export: ${name} has no counterpart in PyTorch's cells`);
  }
}

function* unsupported(config: ModelConfig): Generator<string> {
  if (config.kind === 'transformer') return;
  const { encoder, decoder } = config;
  for (const [side, { resetAfter, peephole, layerNorm }] of Object.entries({ encoder, decoder })) {
    if (!resetAfter) yield `${side}.resetAfter false`;
    if (peephole) yield `${side}.peephole`;
    if (layerNorm) yield `${side}.layerNorm`;
  }
}
