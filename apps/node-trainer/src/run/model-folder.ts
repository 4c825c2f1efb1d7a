import { stat } from 'node:fs/promises';
import path from 'node:path';
import { TextCodec } from '@seqloom/data-tokenizer';
import {
  loadModel,
  type SearchOptions,
  type Seq2Seq,
  saveModel,
  searchOptionsSchema,
  type uniqueState,
  useBackend,
} from '@seqloom/seq2seq';
import { folder } from '@seqloom/seq2seq/node';
import type { Precision } from '@seqloom/tensor-ops';
import { InputError } from '../errors.js';
import { Translator } from '../text/translator.js';

/** A model with its text settings, as its folder has them. */
export interface OpenedModel {
  readonly model: Seq2Seq;
  readonly codec: TextCodec;
  readonly search: SearchOptions;
}

export interface SaveFolderOptions {
  readonly weights?: ReturnType<typeof uniqueState> | undefined;
  /** `int8`: a quarter of the size. */
  readonly precision?: Precision;
}

/** Writes a model with its text settings, its own weights or others: config.json, model.safetensors and both tokenizers. */
export async function saveModelFolder(
  directory: string,
  { model, codec, search }: OpenedModel,
  { weights, precision = 'float32' }: SaveFolderOptions = {},
): Promise<void> {
  const store = folder(directory);
  await codec.save(store);
  await saveModel(model, store, {
    text: { ...codec.settings(), icu: process.versions.icu, search },
    ...(weights !== undefined && { weights }),
    precision,
  });
}

/**
 * @param precision given, the weights are laid out for translating once
 * @throws InputError if there is no whole model in the folder
 */
export async function openModelFolder(directory: string, precision?: Precision): Promise<OpenedModel> {
  await useBackend();
  if (!(await exists(path.join(directory, 'config.json')))) {
    const rule = (await exists(directory)) ? 'no model is here: config.json is missing' : 'there is no such folder';
    throw new InputError(rule, { file: directory });
  }
  const store = folder(directory);
  const { model, text } = await loadModel(store, { ...(precision && { precision }) }).catch((error: Error) => {
    throw new InputError(error.message.replace(/^loadModel: /, ''), {}, { cause: error });
  });
  const codec = await TextCodec.load(store, text).catch((error: Error) => {
    throw new InputError(error.message, { file: directory }, { cause: error });
  });
  const search = searchOptionsSchema.safeParse((text as { search?: unknown } | undefined)?.search ?? {});
  if (!search.success)
    throw new InputError('config.json has search settings that are not understood', { file: directory });
  return { model, codec, search: search.data };
}

/** Opens a model folder for translating; several are an ensemble, whose tokenizers must be the same. */
export async function openTranslator(
  directories: readonly string[],
  precision: Precision = 'float32',
): Promise<Translator> {
  const opened: OpenedModel[] = [];
  for (const directory of directories) opened.push(await openModelFolder(directory, precision));
  const first = opened[0]!;
  const pieces = ({ codec }: OpenedModel) =>
    JSON.stringify([codec.source.tokenizer.toJSON(), codec.target.tokenizer.toJSON()]);
  const other = opened.findIndex((one) => pieces(one) !== pieces(first));
  if (other !== -1) {
    throw new InputError(`its tokenizers differ from those of ${directories[0]}; an ensemble needs the same`, {
      file: directories[other],
    });
  }
  const models = opened.map(({ model }) => model);
  return new Translator(models, first.codec, first.search);
}

async function exists(file: string): Promise<boolean> {
  return (await stat(file).catch(() => undefined)) !== undefined;
}
