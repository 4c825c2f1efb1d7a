import { TextCodec } from '@seqloom/data-tokenizer';
import { fetchStore, loadModel, type Seq2Seq, type Store } from '@seqloom/seq2seq';
import { FailureError } from './failure.js';
import { failureOf } from './failure-of.js';
import { pickedStore } from './picked-store.js';
import type { ModelSource, Precision, Status } from './protocol.js';

export interface Opened {
  readonly model: Seq2Seq;
  readonly codec: TextCodec;
  readonly about: Omit<Status, 'backend'>;
}

/**
 * Reads a model folder, which is not trusted: everything is checked before it is used.
 *
 * @param onProgress told which share of the weights has arrived, where the server says how many there are
 * @throws FailureError
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
  if (!globalThis.crypto?.subtle) throw new FailureError({ code: 'no-crypto' });
  const { model, codec } = await readAll(demanding(store), precision).catch((error: unknown) => {
    throw new FailureError(failureOf(error, (said) => ({ code: 'bad-model', folder: store.label, said })));
  });
  for (const side of ['source', 'target'] as const) {
    const pieces = model.config[`${side}Vocabulary`];
    if (codec[side].size !== pieces) {
      const file = `tokenizer.${side}.json`;
      const there = { file, folder: store.label };
      throw new FailureError({ code: 'wrong-pieces', ...there, expected: pieces, pieces: codec[side].size });
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

async function readAll(store: Store, precision: Precision): Promise<{ model: Seq2Seq; codec: TextCodec }> {
  const { model, text } = await loadModel(store, { precision });
  return { model, codec: await TextCodec.load(store, text) };
}

/** The store, where a file that is missing or cannot be read is a failure that names it. */
function demanding(store: Store): Store {
  const read = async (file: string) => {
    const there = { file, folder: store.label };
    const bytes = await store.read(file).catch((error: unknown) => {
      throw new FailureError(failureOf(error, (said) => ({ code: 'unreadable', ...there, said })));
    });
    if (!bytes) throw new FailureError({ code: 'bad-folder', about: { defect: 'missing', ...there } });
    return bytes;
  };
  return { ...store, read };
}
