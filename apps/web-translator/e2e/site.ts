// The production build in a real Chromium, served under a sub-path.
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { vi } from 'vitest';
import { buildPage } from '../scripts/build-page.js';
import { launch } from './browser.js';

const TYPES: Record<string, string> = {
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.wasm': 'application/wasm',
  '.svg': 'image/svg+xml',
};

export interface Site {
  readonly address: string;
  readonly browser: Browser;
  /** What the browser complained of, over all pages that `open` opened. */
  readonly complaints: string[];
  /** A page of its own, once it says `until`. */
  open(until: string, options?: Parameters<Browser['newPage']>[0]): Promise<Page>;
  close(): Promise<void>;
}

/** Builds the page, with a model or without, and serves it. */
export async function startSite(executable: string, model?: string): Promise<Site> {
  const folder = await mkdtemp(path.join(tmpdir(), 'seqloom-web-'));
  vi.stubEnv('NODE_ENV', 'production'); // the test runner's own would make another build
  await buildPage({ outDir: folder, ...(model !== undefined && { model }) });
  vi.unstubAllEnvs();
  const server = createServer(async ({ url = '' }, response) => {
    const file = path.join(folder, url.replace(/^\/some\/path\//, '').replace(/\?.*/, '') || 'index.html');
    try {
      const bytes = await readFile(file);
      response.writeHead(200, { 'content-type': TYPES[path.extname(file)] ?? 'application/octet-stream' }).end(bytes);
    } catch {
      response.writeHead(404).end();
    }
  }).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}/some/path/`;
  const browser = await launch(executable);
  const complaints: string[] = [];
  return {
    address,
    browser,
    complaints,
    async open(until, options = {}) {
      const page = await browser.newPage({ locale: 'en-US', ...options });
      page.on('console', (message) => void (message.type() === 'error' && complaints.push(message.text())));
      page.on('pageerror', (error) => void complaints.push(String(error)));
      await page.goto(address);
      await page.getByText(until, { exact: false }).first().waitFor({ timeout: 60_000 });
      return page;
    },
    async close() {
      await browser.close();
      server.closeAllConnections();
      server.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

export async function translate(page: Page, text: string): Promise<string> {
  await page.locator('#text').fill(text);
  await page.getByRole('button', { name: 'Translate', exact: true }).click();
  await page.waitForFunction(() => /\d ms/.test(document.querySelector('[data-testid=status]')?.textContent ?? ''));
  return ((await page.getByTestId('translation').textContent()) ?? '').trim();
}
