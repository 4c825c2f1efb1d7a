import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../testing/temporary-folder.js';
import { configPage } from './config-page.js';
import { configToYaml, dataOverrides, loadRunConfig } from './load-config.js';
import { parseOverride } from './overrides.js';

const folder = temporaryFolder('config-');

function write(name: string, text: string): string {
  const file = path.join(folder, name);
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, text);
  return file;
}

test('the reference page is made from the schema as it is now', () => {
  expect(readFileSync(new URL('../../../../docs/config.md', import.meta.url), 'utf8')).toBe(configPage());
});

test('name and paths are filled in, seen from the file, and what is stored reads back to the same', async () => {
  const file = write(
    'a b/我的.yaml',
    'data: {train: {source: x.de, target: x.en}, valid: 10}\ntraining: {epochs: 1}\n',
  );
  const config = await loadRunConfig(file, []);
  expect(config.name).toBe('我的');
  expect(config.out).toBe(path.resolve('runs/我的'));
  expect(config.data.train).toEqual({ source: path.join(folder, 'a b/x.de'), target: path.join(folder, 'a b/x.en') });
  expect(await loadRunConfig(write('elsewhere/recipe.yaml', configToYaml(config)), [])).toEqual(config);
});

test.each([
  ['no data', 'training: {epochs: 1}', 'no data: set data.corpus'],
  [
    'two sources of data',
    'data:\n  corpus: zh-en\n  train: a.tsv\ntraining: {epochs: 1}',
    'line 1: data.corpus and data.train are both given',
  ],
  ['a run without end', 'data: {corpus: zh-en}\ntraining:\n  clipNorm: 2', 'line 2: the run has no end'],
  [
    "a preset's size without a preset",
    'data: {corpus: zh-en}\ntraining: {epochs: 1}\nmodel:\n  hiddenSize: 8',
    'line 4: model.hiddenSize belongs to a preset',
  ],
  [
    'shared merges of words',
    'data: {corpus: zh-en}\ntraining: {epochs: 1}\ntext:\n  share: merges',
    'line 4: text.share merges needs',
  ],
  [
    "a model's key that is misspelt",
    'model:\n  encoder:\n    hidenSize: 8',
    'line 3: unknown key "model.encoder.hidenSize"; did you mean "hiddenSize"?',
  ],
])('%s is refused with its line', async (_, text, message) => {
  await expect(loadRunConfig(write('run.yaml', text), [])).rejects.toThrow(message);
});

test('--data gives a file to train on, or a folder of parts, and wins over the config', async () => {
  const file = write('c.yaml', 'data: {corpus: zh-en}\ntraining: {epochs: 1}');
  const given = write('pairs.tsv', 'a\tb\n');
  expect((await loadRunConfig(file, await dataOverrides(given))).data).toMatchObject({
    corpus: null,
    train: given,
    folder: null,
  });
  expect((await loadRunConfig(file, await dataOverrides(folder))).data).toMatchObject({
    corpus: null,
    train: null,
    folder,
  });
});

test('--set comes after --data', async () => {
  const file = write('d.yaml', 'data: {corpus: zh-en}\ntraining: {epochs: 1}');
  expect(
    (await loadRunConfig(file, [parseOverride('training.epochs=5'), parseOverride('training.steps=7')])).training,
  ).toMatchObject({ epochs: 5, steps: 7 });
});
