import { TextCodec } from '@seqloom/data-tokenizer';
import { fetchStore, loadModel, type Seq2Seq } from '@seqloom/seq2seq';
import { pickedStore } from './picked-store.js';
import type { ModelSource, Precision, Status } from './protocol.js';

export interface Opened {
  readonly model: Seq2Seq;
  readonly codec: TextCodec;
  readonly about: Omit<Status, 'backend' | 'reason'>;
}

/**
 * Reads a model folder, which is not trusted: everything is checked before it is used.
 *
 * @param onProgress told which share of the weights has arrived, where the server says how many there are
 * @throws Error with one sentence
 */
export async function openModel(
  source: ModelSource,
  precision: Precision,
  onProgress: (share: number) => void,
): Promise<Opened> {
  const store =
    'url' in source
      ? fetchStore(source.url, { onProgress: ({ loaded, total }) => total && onProgress(loaded / total) })
      : await pickedStore(source.files, source.name);
  const { model, text } = await loadModel(store, { precision });
  const codec = await TextCodec.load(store, text);
  for (const side of ['source', 'target'] as const) {
    const pieces = model.config[`${side}Vocabulary`];
    if (codec[side].size !== pieces) {
      throw new Error(
        `tokenizer.${side}.json in ${store.label} must have ${pieces} pieces, as the model; got ${codec[side].size}`,
      );
    }
  }
  const about = {
    model: codec.direction ?? store.label,
    parameters: model.parameters().reduce((sum, { size }) => sum + size, 0),
    sourceLanguage: codec.source.language,
    targetLanguage: codec.target.language,
  };
  return { model, codec, about };
}
