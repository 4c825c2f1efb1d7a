// A model as a folder that can be read without this library: config.json and model.safetensors, under PyTorch's names.
import { type Precision, readSafetensors, type StateDict, writeSafetensors } from '@seqloom/tensor-ops';
import { z } from 'zod';
import { type ModelConfig, modelConfigSchema, resolveModelConfig } from '../config/model-config.js';
import { parse } from '../config/parse.js';
import { Seq2Seq } from '../model.js';
import { sha256 } from './checksum.js';
import { fewestWeights } from './fewest-weights.js';
import { readJson, writeJson } from './json-file.js';
import { ModelFolderError } from './model-folder-error.js';
import type { Store } from './store.js';

const CONFIG = 'config.json';
const WEIGHTS = 'model.safetensors';

const weightsSchema = z.strictObject({
  file: z.literal(WEIGHTS),
  bytes: z.int().min(1),
  sha256: z.string().regex(/^[0-9a-f]{64}$/),
});

const folderSchema = z.strictObject({
  format: z.literal('seqloom-model'),
  version: z.literal(1),
  model: modelConfigSchema,
  weights: weightsSchema,
  /** While new weights are written: those that may still lie there. */
  before: weightsSchema.optional(),
  text: z.json().optional(),
});

export interface SaveModelOptions {
  /** Settings of the text side, kept as they are; this package knows no text. */
  text?: unknown;
  /** Weights to save instead of the model's own, such as averaged ones; by the names of `uniqueParameters`. */
  weights?: StateDict;
  /**
   * `int8` writes every matrix as 8-bit integers with a scale for each row, a quarter of the size; `loadModel` makes floats of them
   * again. What is rounded once stays as it is when it is saved so again. Default `float32`.
   */
  precision?: Precision;
}

/**
 * Writes `model.safetensors`, then `config.json` with its checksum. A tied weight is written once, under its first name. Where the
 * model lies there already, with other weights, it can be loaded at every moment in between: with the old ones, or the new.
 *
 * @throws Error with one sentence when the store cannot be written; files that were there stay whole
 * @example
 * const model = Seq2Seq.create({ encoder: { hiddenSize: 8 }, decoder: { attention: 'dot' }, sourceVocabulary: 9, targetVocabulary: 9 });
 * const store = memoryStore(); // or folder('runs/zh-en') of the node entry
 * await saveModel(model, store);
 * console.log((await store.list()).join(' ')); // → config.json model.safetensors
 */
export async function saveModel(
  model: Seq2Seq,
  store: Store,
  { text, weights, precision = 'float32' }: SaveModelOptions = {},
): Promise<void> {
  const bytes = writeSafetensors(weights ?? uniqueState(model), { int8: () => precision === 'int8' });
  const config: z.input<typeof folderSchema> = {
    format: 'seqloom-model',
    version: 1,
    model: model.config,
    weights: { file: WEIGHTS, bytes: bytes.length, sha256: await sha256(bytes) },
    ...(text !== undefined && { text: text as z.core.util.JSONType }),
  };
  const before = await weightsThere(store, model.config);
  if (before) await writeJson(store, CONFIG, { ...config, before });
  await store.write(WEIGHTS, bytes);
  await writeJson(store, CONFIG, config);
}

/** What describes the weights of the same model that are there already. */
async function weightsThere(store: Store, model: ModelConfig): Promise<z.output<typeof weightsSchema> | undefined> {
  const there = (await readJson(store, CONFIG).catch(() => undefined)) as { model?: unknown } | undefined;
  const { success, data } = folderSchema.safeParse(there);
  return success && JSON.stringify(there?.model) === JSON.stringify(model) ? data.weights : undefined;
}

/**
 * Reads a model folder. Nothing is used before everything is checked: schema, size, checksum, names and shapes.
 *
 * @param precision given, the weights are laid out for translating right away (`Seq2Seq.layOut`): `int8` for speed, `float32` for exactness
 * @returns the model, and the text settings it was saved with
 * @throws ModelFolderError where a file is missing, damaged or not what the configuration says; ConfigError, or Error for a tensor, with
 *   one sentence that names what is wrong
 */
export async function loadModel(
  store: Store,
  { precision }: { precision?: Precision } = {},
): Promise<{ model: Seq2Seq; text: unknown }> {
  const {
    model: config,
    weights,
    before,
    text,
  } = parse(folderSchema, await readJson(store, CONFIG), `${CONFIG} in ${store.label}`);
  const there = { file: WEIGHTS, folder: store.label };
  const bytes = await store.read(WEIGHTS);
  if (!bytes) {
    throw new ModelFolderError(`loadModel: ${WEIGHTS} is missing in ${store.label}`, { defect: 'missing', ...there });
  }
  if (bytes.length !== weights.bytes && bytes.length !== before?.bytes) {
    throw new ModelFolderError(
      `loadModel: ${WEIGHTS} in ${store.label} must have ${weights.bytes} bytes, as ${CONFIG} says; got ${bytes.length}`,
      { defect: 'size', ...there, expected: weights.bytes, bytes: bytes.length },
    );
  }
  const sum = await sha256(bytes);
  if (sum !== weights.sha256 && sum !== before?.sha256) {
    throw new ModelFolderError(
      `loadModel: ${WEIGHTS} in ${store.label} is not the file that ${CONFIG} describes (checksum)`,
      { defect: 'checksum', ...there },
    );
  }
  const resolved = resolveModelConfig(config);
  if (fewestWeights(resolved) > bytes.length) {
    throw new ModelFolderError(
      `loadModel: ${CONFIG} in ${store.label} describes a model of more weights than the ${bytes.length} bytes of ${WEIGHTS} can hold`,
      { defect: 'too-many-weights', ...there, file: CONFIG, bytes: bytes.length },
    );
  }
  const model = Seq2Seq.create(resolved);
  try {
    loadUniqueState(model, readSafetensors(bytes));
  } catch (error) {
    model.dispose();
    throw error;
  }
  if (precision) model.layOut(precision);
  return { model, text };
}

/** Every parameter's values once, by its first name. */
export function uniqueState(model: Seq2Seq): StateDict {
  const names = model.uniqueParameters();
  return new Map([...model.stateDict()].filter(([name]) => names.has(name)));
}

/** Takes values as `uniqueState` gives them. @throws Error naming what is missing, unexpected or misshapen */
export function loadUniqueState(model: Seq2Seq, state: StateDict): void {
  const full: StateDict = new Map(state);
  const firstNames = new Map([...model.uniqueParameters()].map(([name, parameter]) => [parameter, name]));
  for (const [name, parameter] of model.namedParameters()) {
    const first = state.get(firstNames.get(parameter)!);
    if (first && !full.has(name)) full.set(name, first);
  }
  model.loadStateDict(full);
}
