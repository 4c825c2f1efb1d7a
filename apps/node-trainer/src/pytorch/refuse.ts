import type { ModelConfig } from '@seqloom/seq2seq';
import { InputError } from '../errors.js';

/** @throws InputError naming what of a configuration `model.py` cannot say. */
export function refuseUnsupported(config: ModelConfig): void {
  for (const name of unsupported(config)) {
    throw new InputError(`export: ${name} has no counterpart in the PyTorch module yet`);
  }
}

function* unsupported(config: ModelConfig): Generator<string> {
  if (config.kind === 'transformer') {
    if (config.transformer.copy) yield 'transformer.copy';
    return;
  }
  const { encoder, decoder } = config;
  // With one layer there is nothing to go around.
  for (const [side, { residual, numLayers }] of Object.entries({ encoder, decoder })) {
    if (residual && numLayers > 1) yield `${side}.residual with ${numLayers} layers`;
  }
}
