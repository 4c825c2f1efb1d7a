import { bosId, eosId, padId, type TextCodec, unkId } from '@seqloom/data-tokenizer';
import { ConfigError, type ModelConfigInput, presets, Seq2Seq } from '@seqloom/seq2seq';
import type { RunConfig } from '../config/run-config.js';
import { InputError } from '../errors.js';
import { copyMap } from './copy-map.js';

/** The network that a config describes, for the vocabularies of a codec. */
export function buildModel({ model, text, seed }: RunConfig, codec: TextCodec): Seq2Seq {
  const sizes = { sourceVocabulary: codec.source.size, targetVocabulary: codec.target.size };
  try {
    return Seq2Seq.create(model.preset === null ? ownModel() : presetModel(model.preset));
  } catch (error) {
    throw error instanceof ConfigError ? new InputError(error.message, {}, { cause: error }) : error;
  }

  function ownModel(): ModelConfigInput {
    const { preset: _, hiddenSize: __, ...network } = model;
    if (network.shareEmbeddings && text.share !== 'vocabulary') {
      throw new InputError(`model.shareEmbeddings needs text.share vocabulary; got ${text.share}`);
    }
    const copies = network.decoder?.copy || network.transformer?.copy;
    const map = copies ? copyMap(codec, text) : null;
    return { ...network, ...sizes, copyMap: map, padId, unkId, bosId, eosId, seed };
  }

  function presetModel(name: keyof typeof presets): ModelConfigInput {
    return presets[name]({ ...sizes, seed, ...(model.hiddenSize !== null && { hiddenSize: model.hiddenSize }) });
  }
}
