// Each tensor package imported alone takes a gradient: in a fresh Node process, and on a page that Vite has built, served from a
// sub-path. tfjs by itself registers no gradients in Node and finds no .wasm file in a bundle.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { chromium } from 'playwright-core';
import { build } from 'vite';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

/** For each package, a loss and the gradient of one of its inputs or parameters. */
const PROGRAMS = {
  'tensor-ops': `
    const { linear, useBackend } = await import('@seqloom/tensor-ops');
    const { name } = await useBackend();
    const gradient = tf.grad((w) => tf.sum(linear(tf.ones([3, 2]), w)))(tf.ones([4, 2]));`,
  attention: `
    const { scaledDotProductAttention, useBackend } = await import('@seqloom/attention');
    const { name } = await useBackend();
    const [keys, values] = [tf.ones([1, 3, 4]), tf.ones([1, 3, 5])];
    const gradient = tf.grad((v) => tf.sum(scaledDotProductAttention(tf.ones([1, 2, 4]), keys, v).context))(values);`,
  rnn: `
    const { GRU, useBackend } = await import('@seqloom/rnn');
    const { name } = await useBackend();
    const gru = new GRU({ inputSize: 2, hiddenSize: 3, seed: 1 });
    const gradient = tf.grad((x) => tf.sum(gru.forward(x).output))(tf.ones([1, 4, 2]));`,
  seq2seq: `
    const { presets, Seq2Seq, useBackend } = await import('@seqloom/seq2seq');
    const { name } = await useBackend();
    const sizes = { sourceVocabulary: 6, targetVocabulary: 6, hiddenSize: 4, seed: 1 };
    const model = Seq2Seq.create(presets['notes-dot'](sizes));
    const batch = { rows: 1, source: Int32Array.of(4, 5), sourceWidth: 2, sourceLengths: Int32Array.of(2),
      target: Int32Array.of(2, 4, 3), targetWidth: 3, targetLengths: Int32Array.of(3) };
    const { grads } = tf.variableGrads(() => model.loss(batch));
    const gradient = tf.addN(Object.values(grads).map((g) => tf.sum(tf.abs(g))));`,
};
type Name = keyof typeof PROGRAMS;
const NAMES = Object.keys(PROGRAMS) as Name[];

/** Reports the backend, the gradient's shape and whether it is finite and not zero. */
const program = (name: Name, report: string) => `
  import * as tf from '@tensorflow/tfjs-core';
  try {
    ${PROGRAMS[name]}
    const total = tf.sum(tf.abs(gradient)).dataSync()[0];
    ${report}(name + ' [' + gradient.shape + '] ' + (Number.isFinite(total) && total > 0));
  } catch (error) { ${report}(String(error?.stack ?? error)); }`;

const EXPECTED: Record<Name, string> = {
  'tensor-ops': 'wasm [4,2] true',
  attention: 'wasm [1,3,5] true',
  rnn: 'wasm [1,4,2] true',
  seq2seq: 'wasm [] true',
};

const folder = mkdtempSync(fileURLToPath(new URL('../node_modules/.alone-', import.meta.url)));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test.each(NAMES)('%s alone takes a gradient in a fresh Node process', (name) => {
  const file = join(folder, `${name}.mjs`);
  writeFileSync(file, program(name, 'console.log'));
  const run = spawnSync(process.execPath, ['--import', 'tsx', '--conditions=@seqloom/source', file], {
    encoding: 'utf8',
  });
  expect(run.stderr).toBe('');
  expect(run.stdout.trim()).toBe(EXPECTED[name]);
});

const chromiumPath = ['/usr/bin/chromium', '/usr/bin/google-chrome'].find(existsSync);

describe('in a page built by Vite', () => {
  const site = join(folder, 'site');

  beforeAll(async () => {
    for (const name of NAMES) {
      const script = `window.report = (text) => { document.title = text; };${program(name, 'window.report')}`;
      writeFileSync(join(folder, `${name}.js`), script);
      writeFileSync(join(folder, `${name}.html`), `<title></title><script type="module" src="./${name}.js"></script>`);
    }
    await build({
      root: folder,
      base: './',
      configFile: false,
      logLevel: 'error',
      resolve: { conditions: ['@seqloom/source', 'module', 'browser', 'development|production'] },
      build: {
        outDir: site,
        target: 'es2022',
        minify: false,
        chunkSizeWarningLimit: 5000,
        rollupOptions: { input: NAMES.map((name) => join(folder, `${name}.html`)) },
      },
    });
  }, 120_000);

  test('tfjs comes once, and so does its .wasm file', () => {
    const assets = readdirSync(join(site, 'assets'));
    expect(assets.filter((file) => file.endsWith('.wasm'))).toHaveLength(1);
    const scripts = assets
      .filter((file) => file.endsWith('.js'))
      .map((file) => readFileSync(join(site, 'assets', file), 'utf8'));
    expect(scripts.join('\n').split(/class Engine\b/)).toHaveLength(2);
  });

  test.runIf(chromiumPath)(
    'each takes a gradient in Chromium, from a sub-path',
    async () => {
      const types: Record<string, string> = {
        '.html': 'text/html',
        '.js': 'text/javascript',
        '.wasm': 'application/wasm',
      };
      const server = createServer(({ url = '' }, response) => {
        const file = join(site, url.replace(/^\/some\/where/, ''));
        if (!url.startsWith('/some/where/') || !existsSync(file)) return response.writeHead(404).end();
        return response.writeHead(200, { 'content-type': types[extname(file)] ?? '' }).end(readFileSync(file));
      });
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
      const browser = await chromium.launch({ executablePath: chromiumPath!, args: ['--no-sandbox', '--disable-gpu'] });
      try {
        const page = await browser.newPage();
        for (const name of NAMES) {
          await page.goto(`http://127.0.0.1:${(server.address() as AddressInfo).port}/some/where/${name}.html`);
          await page.waitForFunction('document.title');
          expect(await page.title()).toBe(EXPECTED[name]);
        }
      } finally {
        await browser.close();
        server.close();
      }
    },
    120_000,
  );
});
