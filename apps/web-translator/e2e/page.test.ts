// The production build in a real Chromium, served under a sub-path.

import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { buildPage } from '../scripts/build-page.js';
import { DEMO_MODEL, ensureDemoModel } from '../scripts/demo-model.js';
import { chromiumPath, launch } from './browser.js';

const TYPES: Record<string, string> = {
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.wasm': 'application/wasm',
  '.svg': 'image/svg+xml',
};
const executable = chromiumPath();
if (!executable) process.stdout.write('browser tests left out: there is no Chromium on this machine\n');

describe.skipIf(!executable)('the built page', () => {
  let folder: string;
  let server: Server;
  let browser: Browser;
  let address: string;
  const complaints: string[] = [];

  beforeAll(async () => {
    ensureDemoModel('ignore');
    folder = await mkdtemp(path.join(tmpdir(), 'seqloom-web-'));
    await buildPage({ model: DEMO_MODEL, outDir: folder });
    server = createServer(async ({ url = '' }, response) => {
      const file = path.join(folder, url.replace(/^\/some\/path\//, '').replace(/\?.*/, '') || 'index.html');
      try {
        const bytes = await readFile(file);
        response.writeHead(200, { 'content-type': TYPES[path.extname(file)] ?? 'application/octet-stream' }).end(bytes);
      } catch {
        response.writeHead(404).end();
      }
    }).listen(0, '127.0.0.1');
    await new Promise((resolve) => server.once('listening', resolve));
    address = `http://127.0.0.1:${(server.address() as AddressInfo).port}/some/path/`;
    browser = await launch(executable!);
  }, 300_000);

  afterAll(async () => {
    await browser?.close();
    server?.close();
    if (folder) await rm(folder, { recursive: true, force: true });
  });

  async function open(options: Parameters<Browser['newPage']>[0] = {}): Promise<Page> {
    const page = await browser.newPage({ locale: 'en-US', ...options });
    page.on('console', (message) => void (message.type() === 'error' && complaints.push(message.text())));
    page.on('pageerror', (error) => void complaints.push(String(error)));
    await page.goto(address);
    await page.getByText('Ready', { exact: false }).waitFor({ timeout: 60_000 });
    return page;
  }

  async function translate(page: Page, text: string): Promise<string> {
    await page.locator('#text').fill(text);
    await page.getByRole('button', { name: 'Translate' }).click();
    await page.waitForFunction(() => /\d ms/.test(document.querySelector('[data-testid=status]')?.textContent ?? ''));
    return ((await page.getByTestId('translation').textContent()) ?? '').trim();
  }

  test('translates the sentence it never saw, each row of weights adds up to one, nothing is complained of', async () => {
    const page = await open();
    expect(await translate(page, '欢迎来北京')).toBe('Welcome to Beijing');
    const columns = await page.getByTestId('attention').locator('thead th').allTextContents();
    expect(columns).toEqual(['欢迎', '来', '北京']);
    const rows = await page.getByTestId('attention').locator('tbody tr').all();
    expect(rows.length).toBeGreaterThanOrEqual(3);
    for (const row of rows) {
      const weights = await row
        .locator('td')
        .evaluateAll((cells) => cells.map((cell) => Number((cell as HTMLElement).dataset.weight)));
      expect(weights.reduce((sum, weight) => sum + weight, 0)).toBeCloseTo(1, 4);
    }
    expect(await page.getByTestId('status').textContent()).toMatch(/wasm (relaxed-)?simd.*\d ms/s);
    expect(complaints).toEqual([]);
    await page.close();
  }, 120_000);

  test('a beam, several sentences, unseen letters and an over-long paste are answered', async () => {
    const page = await open();
    await page.locator('select').selectOption('5');
    expect(await translate(page, '欢迎来北京。我们喜欢下棋。')).toMatch(/Beijing.*\S+ .*chess/i);
    expect(await page.getByRole('tab').count()).toBe(2);
    expect(await translate(page, '🙂 qwerty')).not.toBe('');
    await translate(page, '我喜欢北京'.repeat(400));
    expect(await page.getByRole('alert').count()).toBe(0);
    await page.close();
  }, 120_000);

  test('the page stays free while it translates: no task over 50 ms', async () => {
    const page = await open();
    await page.evaluate(() => {
      const seen: number[] = [];
      Object.assign(globalThis, { longTasks: seen });
      new PerformanceObserver((list) => void seen.push(...list.getEntries().map(({ duration }) => duration))).observe({
        type: 'longtask',
      });
    });
    await translate(page, '我们昨天在超市看见我奶奶了。');
    expect(await page.evaluate(() => (globalThis as unknown as { longTasks: number[] }).longTasks)).toEqual([]);
    await page.close();
  }, 120_000);

  test('speaks Chinese to a Chinese browser', async () => {
    const page = await browser.newPage({ locale: 'zh-CN' });
    await page.goto(address);
    await page.getByRole('button', { name: '翻译', exact: true }).waitFor();
    expect(await page.locator('html').getAttribute('lang')).toBe('zh-CN');
    await page.close();
  }, 60_000);
});
