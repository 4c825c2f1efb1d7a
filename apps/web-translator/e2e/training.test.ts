import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { chromiumPath } from './browser.js';
import { type Site, startSite, translate } from './site.js';

const executable = chromiumPath();

describe.skipIf(!executable)('training in the page', () => {
  let site: Site;
  let folder: string;

  beforeAll(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'seqloom-training-'));
    site = await startSite(executable!);
  }, 120_000);

  afterAll(async () => {
    await site?.close();
    if (folder) await rm(folder, { recursive: true, force: true });
  });

  /** Numbers in words: every pair of tens and ones. */
  async function numbers(): Promise<string> {
    const tens = ['二', '三', '四', '五', '六', '七', '八', '九'];
    const names = ['twenty', 'thirty', 'forty', 'fifty', 'sixty', 'seventy', 'eighty', 'ninety'];
    const ones = ['one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine'];
    const digits = [...'一二三四五六七八九'];
    const lines = tens.flatMap((ten, i) => digits.map((digit, k) => `${ten}十${digit}\t${names[i]} ${ones[k]}`));
    const file = path.join(folder, 'numbers.tsv');
    await writeFile(file, `${lines.join('\n')}\n`);
    return file;
  }

  test('a file of the user’s: the curve falls, the model that comes out translates and opens again from its zip', async () => {
    const page = await site.open('came without a model');
    await page.getByRole('tab', { name: 'Train' }).click();
    await page.getByLabel('Sentences').selectOption('own');
    await page.getByLabel('Two columns').setInputFiles(await numbers());
    await page.getByLabel('Passes').selectOption('40');
    await page.getByRole('button', { name: 'Start training' }).click();
    await page.getByText('Trained.').waitFor({ timeout: 100_000 });
    const label = await page.getByTestId('curve').getAttribute('aria-label');
    const [, training, heldOut] = /training ([\d.]+), held out ([\d.]+)/.exec(label ?? '') ?? [];
    expect(Number(training)).toBeLessThan(1);
    expect(Number(heldOut)).toBeLessThan(2);
    expect(await page.getByTestId('samples').locator('tbody tr').count()).toBeGreaterThan(0);

    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Download the model' }).click(),
    ]);
    const zip = path.join(folder, 'trained.zip');
    await download.saveAs(zip);
    await page.getByRole('button', { name: 'Translate with it' }).click();
    await page.getByText('trained here', { exact: false }).waitFor();
    const said = await translate(page, '二十三');
    expect(said).toMatch(/^\w+ \w+$/);
    await page.reload();
    await page.getByLabel('Open a .zip').setInputFiles(zip);
    await page.getByText('Ready', { exact: false }).waitFor();
    expect(await translate(page, '二十三')).toBe(said);
    expect(site.complaints).toEqual([]);
    await page.close();
  }, 180_000);

  test('a run on the corpus that comes with the page is stopped, and leaves the model as it was then', async () => {
    const page = await site.open('came without a model');
    await page.getByRole('tab', { name: 'Train' }).click();
    await page.getByRole('button', { name: 'Start training' }).click();
    await page.getByText(/pairs, .* parameters/).waitFor({ timeout: 60_000 });
    await page.waitForFunction(() => Number(document.querySelector('progress')?.value) >= 5);
    await page.getByRole('button', { name: 'Stop' }).click();
    await page.getByText('Stopped: this is the model').waitFor();
    await page.getByRole('button', { name: 'Translate with it' }).click();
    await page.getByText('zh-en', { exact: false }).waitFor();
    await page.close();
  }, 180_000);

  test('a file that holds too little, or no two columns, is refused in one sentence', async () => {
    const page = await site.open('came without a model');
    await page.getByRole('tab', { name: 'Train' }).click();
    await page.getByLabel('Sentences').selectOption('own');
    for (const [name, text, sentence] of [
      ['short.tsv', 'a\tb\n', 'short.tsv must have at least 20 pairs'],
      ['list.txt', 'one\ntwo\n'.repeat(50), 'list.txt must have at least 20 pairs'],
      ['empty.tsv', '', 'empty.tsv'],
    ] as const) {
      const file = path.join(folder, name);
      await writeFile(file, text);
      await page.getByLabel('Two columns').setInputFiles(file);
      await page.getByRole('button', { name: 'Start training' }).click();
      await page.getByRole('alert').getByText(sentence).waitFor();
    }
    await page.close();
  }, 60_000);
});
