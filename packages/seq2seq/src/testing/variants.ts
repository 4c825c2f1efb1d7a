// One configuration for every kind of decoder and the options that change its mathematics.
import type { ModelConfigInput } from '../config/model-config.js';

const both = { cell: 'gru', hiddenSize: 6, bidirectional: true } as const;
const one = { cell: 'gru', hiddenSize: 8 } as const;

const small = { size: 8, numHeads: 2, encoderLayers: 2, decoderLayers: 2, feedForwardSize: 12 } as const;

const parts: Record<string, Omit<ModelConfigInput, 'sourceVocabulary' | 'targetVocabulary'>> = {
  'plain rnn': { encoder: { ...one, cell: 'rnn' }, decoder: { kind: 'plain' }, bridge: 'last' },
  'plain gru that repeats the context': { encoder: both, decoder: { kind: 'plain', repeatContext: true } },
  'concat with dot': { encoder: { ...one, cell: 'rnn' }, decoder: { kind: 'concat', attention: 'dot' } },
  'luong with general, two lstm layers': {
    encoder: { ...both, cell: 'lstm', numLayers: 2 },
    decoder: { kind: 'luong', attention: 'general', numLayers: 2, residual: true, hiddenSize: 12 },
    bridge: 'last',
  },
  'luong with concat score': { encoder: both, decoder: { kind: 'luong', attention: 'concat', attentionBias: false } },
  'luong with input feeding': {
    encoder: both,
    decoder: { kind: 'luong', attention: 'additive', inputFeeding: true, numLayers: 2 },
    bridge: 'mean',
  },
  'bahdanau with tanh readout': {
    encoder: both,
    decoder: { kind: 'bahdanau', tieEmbeddings: true, attentionSize: 5, readoutSize: 10 },
  },
  'bahdanau with maxout readout': { encoder: both, decoder: { kind: 'bahdanau', cell: 'lstm', readout: 'maxout' } },
  'bahdanau without readout': {
    encoder: both,
    decoder: { kind: 'bahdanau', attention: 'general', readout: 'none' },
    bridge: 'zero',
  },
  'qkv combined': { encoder: one, decoder: { kind: 'qkv' }, shareEmbeddings: true },
  'qkv with the context alone': { encoder: one, decoder: { kind: 'qkv', contextInput: 'alone' } },
  'luong with coverage': { encoder: both, decoder: { kind: 'luong', attention: 'additive', coverage: true } },
  'concat with copying': { encoder: one, decoder: { kind: 'concat', copy: true } },
  'bahdanau with coverage and copying': {
    encoder: both,
    decoder: { kind: 'bahdanau', readout: 'none', coverage: true, copy: true },
  },
  'luong with normalised scores, gru that resets before': {
    encoder: { ...both, resetAfter: false },
    decoder: { kind: 'luong', attention: 'additive', attentionNormalized: true, resetAfter: false },
  },
  'bahdanau with normalised concat score, layer-normalised gru': {
    encoder: { ...both, layerNorm: true },
    decoder: { kind: 'bahdanau', attention: 'concat', attentionNormalized: true, coverage: true, layerNorm: true },
  },
  'qkv with peepholes, layer-normalised lstm': {
    encoder: { ...one, cell: 'lstm', peephole: true },
    decoder: { kind: 'qkv', peephole: true, layerNorm: true, numLayers: 2 },
  },
  'copying to other ids': {
    encoder: both,
    decoder: { kind: 'luong', attention: 'general', copy: true },
    copyMap: [0, 1, 2, 3, 11, 10, 9, 8, 7, 6, 1, 1],
  },
  'multi-head': { encoder: both, decoder: { kind: 'luong', attention: 'multi-head', attentionHeads: 2 } },
  transformer: { transformer: { ...small, tieEmbeddings: true } },
  'transformer with norms after, learned positions and gelu': {
    transformer: { ...small, norm: 'post', positions: 'learned', maxPositions: 16, activation: 'gelu', dropout: 0.1 },
    shareEmbeddings: true,
  },
  'transformer with copying': { transformer: { ...small, decoderLayers: 1, copy: true } },
};

/** Configurations by a description, for vocabularies of 12. */
export const variants: [string, ModelConfigInput][] = Object.entries(parts).map(([name, part]) => [
  name,
  { ...part, sourceVocabulary: 12, targetVocabulary: 12, seed: 3 },
]);
