import type { RecurrentConfig } from '@seqloom/seq2seq';

/** M, the width of the encoder's outputs: both directions side by side. */
export function encoderOutputSize({ encoder }: RecurrentConfig): number {
  return encoder.hiddenSize * (encoder.bidirectional ? 2 : 1);
}

/** Width of what asks: token vectors in decoder qkv, states elsewhere. */
export function querySize({ decoder }: RecurrentConfig): number {
  return decoder.kind === 'qkv' ? decoder.embeddingSize : decoder.hiddenSize;
}

/** Width of a context: multi-head attention gives its own, the other scores average the encoder's outputs. */
export function contextSize(config: RecurrentConfig): number {
  return config.decoder.attention === 'multi-head' ? querySize(config) : encoderOutputSize(config);
}

/** F, the width of what the output layer reads. */
export function featureSize(config: RecurrentConfig): number {
  const { kind, hiddenSize, embeddingSize, readout, readoutSize } = config.decoder;
  if (kind === 'concat') return hiddenSize + contextSize(config);
  if (kind !== 'bahdanau') return hiddenSize;
  return readout === 'none' ? hiddenSize + contextSize(config) + embeddingSize : readoutSize;
}
