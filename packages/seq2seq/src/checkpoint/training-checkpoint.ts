// Everything that a stopped run needs to go on as if it had not stopped: two files a checkpoint, tensors first, then the manifest
// that makes them count. Half a checkpoint is therefore no checkpoint.
import {
  type OptimizerState,
  type PlateauState,
  readSafetensors,
  type StateDict,
  writeSafetensors,
} from '@seqloom/tensor-ops';
import { z } from 'zod';
import { type ModelConfig, modelConfigSchema } from '../config/model-config.js';
import { parse } from '../config/parse.js';
import type { Progress } from '../training/progress.js';
import { sha256 } from './checksum.js';
import { readJson, writeJson } from './json-file.js';
import type { Store } from './store.js';

const FOLDER = 'training/';
const BEST = `${FOLDER}best.json`;
const MANIFEST = /^training\/(step-\d{8,})\.json$/;

/** A stopped run. */
export interface TrainingCheckpoint {
  progress: Progress;
  modelConfig: ModelConfig;
  /** The weights, by the names of `uniqueParameters`. */
  weights: StateDict;
  optimizer: OptimizerState;
  /** The moving average, where there is one. */
  average: OptimizerState | null;
  plateau: PlateauState | null;
  /** Whatever the caller wanted to keep; plain JSON. */
  extra?: unknown;
}

const count = z.int().min(0);
const manifestSchema = z.strictObject({
  format: z.literal('seqloom-training'),
  version: z.literal(1),
  progress: z.strictObject({ step: count, epoch: count, batch: count, best: z.number().nullable(), sinceBest: count }),
  optimizerSteps: count,
  averageSteps: count.nullable(),
  plateau: z
    .strictObject({ learningRate: z.number(), best: z.number().nullable(), badCount: count, cooldownLeft: count })
    .nullable(),
  model: modelConfigSchema,
  tensors: z.strictObject({ bytes: count, sha256: z.string() }),
  extra: z.json().optional(),
});

export interface WriteCheckpointOptions {
  /** Whether it is the best so far, and kept until a better one comes. */
  best: boolean;
  /** How many of the newest are kept. */
  keep: number;
}

/**
 * Writes a checkpoint and removes old ones, never the best.
 *
 * @returns its name, such as `step-00000100`
 * @throws Error with one sentence when the store cannot be written; older checkpoints stay
 */
export async function writeCheckpoint(
  store: Store,
  checkpoint: TrainingCheckpoint,
  { best, keep }: WriteCheckpointOptions,
): Promise<string> {
  const { progress, modelConfig, weights, optimizer, average, plateau, extra } = checkpoint;
  const name = `step-${String(progress.step).padStart(8, '0')}`;
  const tensors: StateDict = new Map([
    ...prefixed('model.', weights),
    ...prefixed('optimizer.', optimizer.tensors),
    ...prefixed('average.', average?.tensors ?? new Map()),
  ]);
  const bytes = writeSafetensors(tensors);
  await store.write(`${FOLDER}${name}.safetensors`, bytes);
  await writeJson(store, `${FOLDER}${name}.json`, {
    format: 'seqloom-training',
    version: 1,
    progress,
    optimizerSteps: optimizer.step,
    averageSteps: average?.step ?? null,
    plateau,
    model: modelConfig,
    tensors: { bytes: bytes.length, sha256: await sha256(bytes) },
    ...(extra !== undefined && { extra }),
  });
  if (best) await writeJson(store, BEST, { name });
  await prune(store, keep);
  return name;
}

/**
 * A checkpoint by name, checked before anything is used.
 *
 * @throws Error with one sentence naming the file and what is wrong with it
 */
export async function readCheckpoint(store: Store, name: string): Promise<TrainingCheckpoint> {
  const file = `${FOLDER}${name}.json`;
  const manifest = parse(manifestSchema, await readJson(store, file), `${file} in ${store.label}`);
  const bytes = await store.read(`${FOLDER}${name}.safetensors`);
  if (!bytes) throw new Error(`checkpoint ${name}: ${FOLDER}${name}.safetensors is missing in ${store.label}`);
  if (bytes.length !== manifest.tensors.bytes) {
    throw new Error(
      `checkpoint ${name}: the tensors must have ${manifest.tensors.bytes} bytes; got ${bytes.length} in ${store.label}`,
    );
  }
  if ((await sha256(bytes)) !== manifest.tensors.sha256) {
    throw new Error(`checkpoint ${name}: the tensors in ${store.label} are not those of the manifest (checksum)`);
  }
  const tensors = readSafetensors(bytes);
  const { progress, optimizerSteps, averageSteps, plateau, model, extra } = manifest;
  return {
    progress,
    modelConfig: model as ModelConfig,
    weights: withoutPrefix('model.', tensors),
    optimizer: { step: optimizerSteps, tensors: withoutPrefix('optimizer.', tensors) },
    average: averageSteps === null ? null : { step: averageSteps, tensors: withoutPrefix('average.', tensors) },
    plateau,
    extra,
  };
}

/** A checkpoint that could be read, and the newer ones that could not. */
export interface FoundCheckpoint {
  readonly name: string;
  readonly checkpoint: TrainingCheckpoint;
  readonly damaged: { name: string; reason: string }[];
}

/**
 * The newest checkpoint that is whole; null where there is none at all.
 *
 * @throws Error when there are checkpoints and every one is damaged
 */
export async function latestCheckpoint(store: Store): Promise<FoundCheckpoint | null> {
  const damaged: FoundCheckpoint['damaged'] = [];
  for (const name of (await checkpointNames(store)).reverse()) {
    try {
      return { name, checkpoint: await readCheckpoint(store, name), damaged };
    } catch (error) {
      damaged.push({ name, reason: error instanceof Error ? error.message : String(error) });
    }
  }
  if (damaged.length === 0) return null;
  throw new Error(`latestCheckpoint: none of ${damaged.length} in ${store.label} is whole; ${damaged[0]!.reason}`);
}

/** The checkpoint of the best validation; null where there is none. @throws Error when it is damaged */
export async function bestCheckpoint(store: Store): Promise<FoundCheckpoint | null> {
  const name = await bestName(store);
  return name === null ? null : { name, checkpoint: await readCheckpoint(store, name), damaged: [] };
}

/** Names of all checkpoints whose manifest is there, oldest first. */
export async function checkpointNames(store: Store): Promise<string[]> {
  const names = (await store.list()).flatMap((file) => MANIFEST.exec(file)?.[1] ?? []);
  return names.sort((a, b) => stepOf(a) - stepOf(b));
}

async function bestName(store: Store): Promise<string | null> {
  if (!(await store.read(BEST))) return null;
  return parse(z.strictObject({ name: z.string() }), await readJson(store, BEST), `${BEST} in ${store.label}`).name;
}

/** Removes manifests before tensors, so that a crash in between leaves tensors that nobody counts, which the next time removes. */
async function prune(store: Store, keep: number): Promise<void> {
  const kept = new Set((await checkpointNames(store)).slice(-keep));
  const best = await bestName(store);
  if (best) kept.add(best);
  const files = (await store.list()).filter((file) => file.startsWith(`${FOLDER}step-`));
  const old = files.filter((file) => !kept.has(file.slice(FOLDER.length).replace(/\.(json|safetensors)$/, '')));
  for (const suffix of ['.json', '.safetensors']) {
    for (const file of old.filter((name) => name.endsWith(suffix))) await store.remove(file);
  }
}

function stepOf(name: string): number {
  return Number(name.slice('step-'.length));
}

function prefixed(prefix: string, dict: StateDict): StateDict {
  return new Map([...dict].map(([name, entry]) => [prefix + name, entry]));
}

function withoutPrefix(prefix: string, dict: StateDict): StateDict {
  return new Map(
    [...dict].filter(([name]) => name.startsWith(prefix)).map(([name, entry]) => [name.slice(prefix.length), entry]),
  );
}
