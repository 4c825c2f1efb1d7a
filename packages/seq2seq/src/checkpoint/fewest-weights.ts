// How large a model must be at least, told from its configuration alone: what is read from disk is not trusted to say so.
import type { ModelConfig } from '../config/model-config.js';

/** A number of weights that no model of this configuration is below: that of its largest kind of matrix, roughly. */
export function fewestWeights(config: ModelConfig): number {
  const { sourceVocabulary, targetVocabulary } = config;
  if (config.kind === 'transformer') {
    const { size, encoderLayers, decoderLayers, feedForwardSize, positions, maxPositions } = config.transformer;
    const layers = Math.max(encoderLayers, decoderLayers);
    return Math.max(
      size * Math.max(sourceVocabulary, targetVocabulary),
      layers * size * size,
      layers * size * feedForwardSize,
      positions === 'learned' ? size * maxPositions : 0,
    );
  }
  const { encoder, decoder } = config;
  const additive = decoder.attention === 'additive' || decoder.attention === 'concat';
  const readout = decoder.kind === 'bahdanau' && decoder.readout !== 'none';
  return Math.max(
    sourceVocabulary * encoder.embeddingSize,
    targetVocabulary * decoder.embeddingSize,
    ...[encoder, decoder].map(({ numLayers, hiddenSize }) => numLayers * hiddenSize * hiddenSize),
    additive ? decoder.attentionSize * decoder.hiddenSize : 0,
    readout ? decoder.readoutSize * decoder.hiddenSize : 0,
  );
}
