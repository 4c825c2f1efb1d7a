import { type Attention, createAttention } from '@seqloom/attention';
import { deriveSeed } from '@seqloom/tensor-ops';
import { encoderOutputSize, type RecurrentConfig } from '../config/model-config.js';

/** The score function of a configuration, for queries of `querySize`. */
export function decoderAttention({ encoder, decoder }: RecurrentConfig, querySize: number, seed: number): Attention {
  return createAttention({
    score: decoder.attention!,
    querySize,
    memorySize: encoderOutputSize(encoder),
    hiddenSize: decoder.attentionSize,
    normalized: decoder.attentionNormalized,
    coverage: decoder.coverage,
    ...(decoder.attention === 'multi-head' && { numHeads: decoder.attentionHeads }),
    seed: deriveSeed(seed, 'attention'),
  });
}
