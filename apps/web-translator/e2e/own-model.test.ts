import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { zipSync } from 'fflate';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { buildPage } from '../scripts/build-page.js';
import { ensureDemoModel } from '../scripts/demo-model.js';
import { chromiumPath } from './browser.js';
import { type Change, copyModel, edited, FILES, withWeights } from './model-copy.js';
import { type Site, startSite, translate } from './site.js';

const executable = chromiumPath();

test('building with a folder that holds no model says which file it lacks', async () => {
  const at = path.join(tmpdir(), 'no model here');
  await expect(buildPage({ model: at, outDir: at })).rejects.toThrow(
    `${at} holds no trained model (config.json is missing); pnpm demo trains one into runs/demo`,
  );
});

describe.skipIf(!executable)('the page without a model', () => {
  let site: Site;
  let folder: string;

  beforeAll(async () => {
    ensureDemoModel('ignore');
    folder = await mkdtemp(path.join(tmpdir(), 'seqloom-models-'));
    site = await startSite(executable!);
  }, 300_000);

  afterAll(async () => {
    await site?.close();
    if (folder) await rm(folder, { recursive: true, force: true });
  });

  const openFolder = (page: Page, picked: string) => page.getByLabel('Open a model folder').setInputFiles(picked);
  const openZip = (page: Page, picked: string) => page.getByLabel('Open a .zip').setInputFiles(picked);
  const ready = (page: Page) => page.getByText('Ready', { exact: false }).waitFor({ timeout: 60_000 });

  const model = (name: string, change?: Change) => copyModel(folder, name, change);

  async function zipped(name: string, at: string, prefix: string): Promise<string> {
    const entries = await Promise.all(
      FILES.map(async (file) => [`${prefix}${file}`, await readFile(path.join(at, file))]),
    );
    const zip = path.join(folder, name);
    await writeFile(zip, zipSync(Object.fromEntries(entries)));
    return zip;
  }

  test('asks for one, and translates with the folder or the zip that is picked', async () => {
    const page = await site.open('came without a model');
    expect(await page.getByRole('button', { name: 'Translate', exact: true }).isDisabled()).toBe(true);
    await openFolder(page, await model('mine'));
    await ready(page);
    expect(await translate(page, '欢迎来北京')).toBe('Welcome to Beijing');
    await page.reload();
    await openZip(page, await zipped('mine.zip', path.join(folder, 'mine'), 'some/folder/'));
    await ready(page);
    expect(await translate(page, '欢迎来北京')).toBe('Welcome to Beijing');
    expect(site.complaints).toEqual([]);
    await page.close();
  }, 120_000);

  test('refuses what is no model in one sentence, and goes on with the one before', async () => {
    const page = await site.open('came without a model');
    await openFolder(page, await model('good'));
    await ready(page);
    const refused = async (sentence: string | RegExp) => {
      await page.getByRole('alert').getByText(sentence).waitFor();
      expect(await translate(page, '欢迎来北京')).toBe('Welcome to Beijing');
    };
    const refusesFolder = async (picked: string, sentence: string | RegExp) => {
      await openFolder(page, picked);
      await refused(sentence);
    };

    const bare = await model('bare', (at) => rm(path.join(at, 'config.json')));
    await refusesFolder(bare, 'There is no model in bare: it has no config.json.');
    await refusesFolder(
      await model('headless', (at) => rm(path.join(at, 'tokenizer.target.json'))),
      'no tokenizer.target.json',
    );
    const cut = withWeights((bytes) => bytes.subarray(0, 9999));
    await refusesFolder(await model('cut', cut), /model\.safetensors in cut must have \d+ bytes/);
    const garbled = (at: string) => writeFile(path.join(at, 'config.json'), '{"format":');
    await refusesFolder(await model('garbled', garbled), 'config.json in garbled is not JSON');
    const huge = edited(({ model }) => Object.assign(model, { sourceVocabulary: 1_000_000_000 }));
    await refusesFolder(await model('huge', huge), 'config.json in huge describes a model of more weights');
    const other = async (at: string) =>
      cp(path.join(at, 'tokenizer.target.json'), path.join(at, 'tokenizer.source.json'));
    await refusesFolder(await model('other', other), /tokenizer\.source\.json in other must have \d+ pieces/);
    await model('several/a');
    await model('several/b');
    await refusesFolder(path.join(folder, 'several'), /There are 2 models in several .*pick one/);

    const broken = path.join(folder, 'broken.zip');
    await writeFile(broken, 'PK\u0003\u0004 and no more');
    await openZip(page, broken);
    await refused('broken.zip is not a zip file that can be read.');
    const bomb = path.join(folder, 'bomb.zip');
    await writeFile(bomb, zipSync({ 'config.json': new Uint8Array(9 * 2 ** 20) }));
    await openZip(page, bomb);
    await refused('config.json is too large');
    await page.close();
  }, 180_000);
});
