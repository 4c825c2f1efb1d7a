import { cp, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { zipSync } from 'fflate';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { DEMO_MODEL, ensureDemoModel } from '../scripts/demo-model.js';
import { chromiumPath } from './browser.js';
import { type Change, copyModel, edited, withWeights } from './model-copy.js';
import { type Site, startSite } from './site.js';

const executable = chromiumPath();

describe.skipIf(!executable)('what goes wrong, told in Chinese', () => {
  let site: Site;
  let folder: string;

  beforeAll(async () => {
    ensureDemoModel('ignore');
    folder = await mkdtemp(path.join(tmpdir(), 'seqloom-chinese-'));
    site = await startSite(executable!, DEMO_MODEL);
  }, 300_000);

  afterAll(async () => {
    await site?.close();
    if (folder) await rm(folder, { recursive: true, force: true });
  });

  const open = () => site.open('就绪', { locale: 'zh-CN', serviceWorkers: 'block' });
  const told = (page: Page, sentence: string | RegExp) => page.getByRole('alert').getByText(sentence).waitFor();

  async function written(name: string, content: string | Uint8Array): Promise<string> {
    const file = path.join(folder, name);
    await writeFile(file, content);
    return file;
  }

  test('a folder or zip that holds no model, and in English once the page is', async () => {
    const page = await open();
    const refusesFolder = async (name: string, change: Change, sentence: string | RegExp) => {
      await page.getByLabel('打开模型文件夹').setInputFiles(await copyModel(folder, name, change));
      await told(page, sentence);
    };
    await refusesFolder(
      'bare',
      (at) => rm(path.join(at, 'config.json')),
      '模型打不开。“bare”里没有模型：缺少 config.json。',
    );
    await refusesFolder(
      'headless',
      (at) => rm(path.join(at, 'tokenizer.target.json')),
      '“headless”里没有 tokenizer.target.json。',
    );
    await refusesFolder(
      'cut',
      withWeights((bytes) => bytes.subarray(0, 9999)),
      /“cut”里的 model\.safetensors 按 config\.json 应有 \d+ 字节，实际有 9999 字节。/,
    );
    await refusesFolder(
      'flipped',
      withWeights((bytes) => bytes.fill(0x5a, bytes.length - 8)),
      '“flipped”里的 model.safetensors 不是 config.json 所描述的文件：校验和不符。',
    );
    await refusesFolder(
      'garbled',
      (at) => writeFile(path.join(at, 'config.json'), '{"format":'),
      '“garbled”里的 config.json 不是 JSON（10 字节）。',
    );
    await refusesFolder(
      'foreign',
      edited((config) => Object.assign(config, { format: 'another' })),
      /“foreign”里的模型不合格式要求，原文是：“config\.json in foreign: format .*”。/,
    );
    await refusesFolder(
      'huge',
      edited(({ model }) => Object.assign(model, { sourceVocabulary: 1_000_000_000 })),
      /“huge”里的 config\.json 所描述的模型太大：model\.safetensors 只有 \d+ 字节/,
    );
    await refusesFolder(
      'other',
      (at) => cp(path.join(at, 'tokenizer.target.json'), path.join(at, 'tokenizer.source.json')),
      /“other”里的 tokenizer\.source\.json 应与模型一样有 \d+ 个单元，实际有 \d+ 个。/,
    );
    const zip = page.getByLabel('打开 .zip');
    await zip.setInputFiles(await written('bomb.zip', zipSync({ 'config.json': new Uint8Array(9 * 2 ** 20) })));
    await told(page, '“config.json”太大：最多 8388608 字节，实际有 9437184 字节。');
    await zip.setInputFiles(await written('broken.zip', 'PK\u0003\u0004 and no more'));
    await told(page, '“broken.zip”不是可以读取的 zip 文件。');
    await page.getByRole('button', { name: 'English' }).click();
    await told(page, 'The model could not be opened. broken.zip is not a zip file that can be read.');
    await page.close();
  }, 180_000);

  test('a model whose address gives no answer, or a wrong one', async () => {
    const page = await open();
    const weights = '**/model/model.safetensors';
    await page.route(weights, (route) => route.fulfill({ status: 500 }));
    await page.reload();
    await told(page, /model\/”里的 model\.safetensors 读取失败，原因是：“fetchStore: .* gave 500 /);
    await page.unroute(weights);
    await page.route(weights, (route) => route.abort());
    await page.reload();
    await told(page, /model\/”里的 model\.safetensors 读取失败，原因是：“Failed to fetch”。/);
    await page.close();
  }, 60_000);

  test('a corpus that is refused or out of reach, and a worker that does not start', async () => {
    const page = await open();
    await page.getByRole('tab', { name: '训练' }).click();
    const start = page.getByRole('button', { name: '开始训练' });
    await page.route('**/*.tsv', (route) => route.abort());
    await start.click();
    await told(page, /取不到 http:.*\.tsv，原因是：“Failed to fetch”。/);
    await page.locator('#panel-train select').first().selectOption('own');
    for (const [name, content, sentence] of [
      ['short.tsv', 'a\tb\n', '“short.tsv”至少要有 20 对句子，每行一对，两列之间用制表符分开，实际有 1 对。'],
      ['damaged.gz', new Uint8Array([0x1f, 0x8b, 8, 0]), /“damaged\.gz”不能按两列来读取，原因是：“damaged\.gz: .*”。/],
      [
        'same.tsv',
        Array.from({ length: 30 }, (_, i) => `a\tb${i}\n`).join(''),
        /“same\.tsv”里要翻译的那一列必须有不同/,
      ],
    ] as const) {
      await page.getByLabel('两列').setInputFiles(await written(name, content));
      await start.click();
      await told(page, sentence);
    }
    await page.route('**/worker-*.js', (route) => route.abort());
    await start.click();
    await told(page, 'worker 没能启动，或者中途崩溃了。');
    await page.close();
  }, 60_000);

  test('a translation that the browser does not let be copied', async () => {
    const page = await open();
    await page.evaluate(() => Object.defineProperty(navigator, 'clipboard', { value: undefined }));
    await page.locator('#text').press('Enter');
    await page.getByRole('button', { name: '复制' }).click();
    await told(page, /浏览器不允许复制译文，原因是：“.+”。/);
    expect(site.complaints.filter((complaint) => !/ERR_FAILED|500/.test(complaint))).toEqual([]);
    await page.close();
  }, 60_000);
});
