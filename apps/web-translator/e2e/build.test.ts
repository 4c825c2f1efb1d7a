import { existsSync } from 'node:fs';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, test } from 'vitest';
import { buildPage } from '../scripts/build-page.js';

test('the page builds without a model, and says which file a folder lacks that holds none', async () => {
  const folder = await mkdtemp(path.join(tmpdir(), 'seqloom-build-'));
  try {
    const outDir = path.join(folder, 'page');
    await buildPage({ outDir });
    expect(await readdir(outDir)).toContain('index.html');
    expect(existsSync(path.join(outDir, 'model'))).toBe(false);
    await expect(buildPage({ model: folder, outDir })).rejects.toThrow(
      `${folder} holds no trained model (config.json is missing); pnpm demo trains one into runs/demo`,
    );
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}, 120_000);
