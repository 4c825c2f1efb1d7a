// The course notes' models, by the notes' names.
import type { ModelConfigInput } from '../config/model-config.js';

export interface PresetOptions {
  sourceVocabulary: number;
  targetVocabulary: number;
  /** State and token vector size; default 128, the notes' own. */
  hiddenSize?: number;
  seed?: number;
}

/** A configuration of `Seq2Seq.create` for given vocabularies. */
export type Preset = (options: PresetOptions) => ModelConfigInput;

function notes(cell: 'rnn' | 'gru', decoder: NonNullable<ModelConfigInput['decoder']>): Preset {
  return ({ sourceVocabulary, targetVocabulary, hiddenSize = 128, seed = 1 }) => ({
    encoder: { cell, hiddenSize },
    decoder,
    bridge: 'last',
    sourceVocabulary,
    targetVocabulary,
    seed,
  });
}

/**
 * - `notes-plain`: RNN encoder and decoder, only the last state between them;
 * - `notes-dot`: the same with dot attention, [state; context] into the output layer;
 * - `notes-qkv`: GRU decoder whose query is the token before, scaled dot, a context of its own for every step;
 * - `notes-additive`: GRU with additive attention and the attentional state tanh(Wc[c;s] + b).
 */
export const presets = {
  'notes-plain': notes('rnn', { kind: 'plain' }),
  'notes-dot': notes('rnn', { kind: 'concat', attention: 'dot' }),
  'notes-qkv': notes('gru', { kind: 'qkv', attention: 'scaled-dot' }),
  'notes-additive': notes('gru', { kind: 'luong', attention: 'additive' }),
} satisfies Record<string, Preset>;
