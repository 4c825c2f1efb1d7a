import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readSafetensors } from '@seqloom/tensor-ops';
import { memory } from '@tensorflow/tfjs-core';
import { afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { loadModel, ModelFolderError, memoryStore, Seq2Seq, type Store, saveModel, useBackend } from '../index.js';
import { folder } from '../node/index.js';
import { batchOf } from '../testing/copy-task.js';

let path: string;
beforeAll(async () => {
  await useBackend();
});
beforeEach(async () => {
  path = await mkdtemp(join(tmpdir(), 'model folder 模型-'));
});
afterEach(async () => {
  await rm(path, { recursive: true });
});

const tied = () =>
  Seq2Seq.create({
    encoder: { hiddenSize: 6 },
    decoder: { kind: 'bahdanau', tieEmbeddings: true },
    sourceVocabulary: 9,
    targetVocabulary: 9,
    shareEmbeddings: true,
    seed: 4,
  });
const lossOf = (model: Seq2Seq) => {
  const loss = model.loss(
    batchOf([
      [
        [4, 5],
        [6, 7, 8],
      ],
    ]),
  );
  const [value] = loss.dataSync();
  loss.dispose();
  return value;
};

test('a saved model loads as it was, with its text settings, and nothing is left behind', async () => {
  const model = tied();
  const before = memory().numTensors;
  for (let i = 0; i < 20; i++) {
    await saveModel(model, folder(path), { text: { language: '中文' } });
    const { model: loaded, text } = await loadModel(folder(path));
    expect(text).toEqual({ language: '中文' });
    expect(loaded.config).toEqual(model.config);
    expect(lossOf(loaded)).toBe(lossOf(model));
    loaded.dispose();
  }
  expect(memory().numTensors).toBe(before);
  expect(await readdir(path)).toEqual(['config.json', 'model.safetensors']);
});

test('a weight that is used in several places is written once', async () => {
  await saveModel(tied(), folder(path));
  const names = [...readSafetensors(await readFile(join(path, 'model.safetensors'))).keys()];
  expect(names).toContain('encoder.embedding.weight');
  expect(names).not.toContain('decoder.embedding.weight');
  expect(names).not.toContain('output.weight');
});

test('8-bit weights are a quarter of the size, load anywhere, and are not rounded twice', async () => {
  const model = Seq2Seq.create({
    encoder: { hiddenSize: 64, bidirectional: true },
    decoder: { kind: 'bahdanau', tieEmbeddings: true },
    sourceVocabulary: 500,
    targetVocabulary: 500,
    seed: 4,
  });
  const [floats, integers, again] = [memoryStore(), memoryStore(), memoryStore()];
  const bytesOf = async (store: Store) => (await store.read('model.safetensors'))!;
  await saveModel(model, floats);
  await saveModel(model, integers, { precision: 'int8', text: { from: 'zh' } });
  expect((await bytesOf(integers)).length / (await bytesOf(floats)).length).toBeLessThan(0.28);
  const { model: loaded, text } = await loadModel(integers);
  expect(text).toEqual({ from: 'zh' });
  expect(lossOf(loaded)).toBeCloseTo(lossOf(model)!, 2);
  expect(lossOf(loaded)).not.toBe(lossOf(model));
  await saveModel(loaded, again, { precision: 'int8', text: { from: 'zh' } });
  expect(await bytesOf(again)).toEqual(await bytesOf(integers));
  const name = 'encoder.embedding.weight';
  expect(loaded.stateDict().get(name)?.data).not.toEqual(model.stateDict().get(name)?.data);
  model.dispose();
  loaded.dispose();
});

test('a crash between any two writes leaves a model that loads, the old one or the new', async () => {
  const [old, trained] = [tied(), tied()];
  trained.loadStateDict(
    new Map([...old.stateDict()].map(([name, { shape, data }]) => [name, { shape, data: data.map((x) => 1.5 * x) }])),
  );
  const losses = new Set<number>();
  for (let writes = 0; writes < 4; writes++) {
    const store = memoryStore();
    await saveModel(old, store);
    let left = writes;
    const crashing: Store = {
      ...store,
      write: async (name, bytes) => {
        if (left-- === 0) throw new Error('crash');
        await store.write(name, bytes);
      },
    };
    const saved = saveModel(trained, crashing);
    if (writes < 3) await expect(saved).rejects.toThrow('crash');
    else await saved;
    const { model } = await loadModel(store);
    losses.add(lossOf(model)!);
    model.dispose();
  }
  expect([...losses]).toEqual([lossOf(old), lossOf(trained)]);
  old.dispose();
  trained.dispose();
});

/** A store that holds what a saved model's does, but for one file. */
async function spoilt(name: string, spoil: (bytes: Uint8Array) => Uint8Array | null): Promise<Store> {
  const store = memoryStore();
  await saveModel(tied(), store);
  const bytes = spoil((await store.read(name))!);
  if (bytes) await store.write(name, bytes);
  else await store.remove(name);
  return store;
}
const edited = (change: (config: never) => void) => (bytes: Uint8Array) => {
  const config: unknown = JSON.parse(new TextDecoder().decode(bytes));
  change(config as never);
  return new TextEncoder().encode(JSON.stringify(config));
};

test.each<[string, string, (bytes: Uint8Array) => Uint8Array | null, RegExp]>([
  ['a missing config', 'config.json', () => null, /^config.json is missing in memory$/],
  [
    'a config that is no JSON',
    'config.json',
    (b) => b.subarray(0, 40),
    /^config.json in memory is not JSON \(40 bytes\)$/,
  ],
  ['a config of another program', 'config.json', () => new TextEncoder().encode('{"model_type":"bert"}'), /format/],
  [
    'an unknown key',
    'config.json',
    edited(({ model }: { model: { decoder: Record<string, unknown> } }) => {
      model.decoder.inputFeding = true;
    }),
    /unknown name "model.decoder.inputFeding"; did you mean "inputFeeding"\?/,
  ],
  ['missing weights', 'model.safetensors', () => null, /^loadModel: model.safetensors is missing in memory$/],
  [
    'truncated weights',
    'model.safetensors',
    (b) => b.subarray(0, b.length - 8),
    /must have \d+ bytes, as config.json says; got \d+$/,
  ],
  [
    'a flipped bit',
    'model.safetensors',
    (b) => {
      b[b.length - 5]! ^= 1;
      return b;
    },
    /is not the file that config.json describes \(checksum\)$/,
  ],
])('%s is one clear sentence', async (_, name, spoil, message) => {
  const store = await spoilt(name, spoil);
  const before = memory().numTensors;
  await expect(loadModel(store)).rejects.toThrow(message);
  expect(memory().numTensors).toBe(before);
});

test.each<[string, (bytes: Uint8Array) => Uint8Array | null, object]>([
  ['config.json', () => null, { defect: 'missing' }],
  ['config.json', (b) => b.subarray(0, 40), { defect: 'not-json', bytes: 40 }],
  ['model.safetensors', () => null, { defect: 'missing' }],
  ['model.safetensors', (b) => b.subarray(0, 40), { defect: 'size', expected: expect.any(Number), bytes: 40 }],
  ['model.safetensors', (b) => b.fill(1, b.length - 1), { defect: 'checksum' }],
])('a spoilt %s is told in values too', async (file, spoil, defect) => {
  const error = await loadModel(await spoilt(file, spoil)).catch((thrown) => thrown);
  expect(error).toBeInstanceOf(ModelFolderError);
  expect(error.about).toEqual({ ...defect, file, folder: 'memory' });
});

test('weights of another shape are refused by name, and the half-made model is freed', async () => {
  const store = memoryStore();
  await saveModel(tied(), store);
  const config = edited(({ model }: { model: { targetVocabulary: number; sourceVocabulary: number } }) => {
    model.targetVocabulary = 10;
    model.sourceVocabulary = 10;
  });
  await store.write('config.json', config((await store.read('config.json'))!));
  const before = memory().numTensors;
  await expect(loadModel(store)).rejects.toThrow(/"encoder.embedding.weight" must be of shape \[10,6\]; got \[9,6\]/);
  expect(memory().numTensors).toBe(before);
});

test('a folder that cannot be written says so in one sentence', async () => {
  await writeFile(join(path, 'file'), 'in the way');
  await expect(saveModel(tied(), folder(join(path, 'file')))).rejects.toThrow(
    /^folder: cannot write .*; what was there before is untouched$/,
  );
});

test('a name never leaves the folder', async () => {
  await expect(folder(path).read('../secret')).rejects.toThrow(/must stay within/);
});
