import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { useBackend } from '@seqloom/tensor-ops';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { documentedExamples, type Example, markdownExamples, promised } from './examples.js';
import { PACKAGES, ROOT } from './workspace.js';

// Each example becomes a module beside this file, so that it resolves packages as a user's program does.
const folder = join(ROOT, 'internal/checks/src/.examples');
let count = 0;

beforeAll(async () => {
  mkdirSync(folder, { recursive: true });
  await useBackend();
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

async function run({ code }: Example): Promise<string[]> {
  const file = join(folder, `example-${count++}.ts`);
  writeFileSync(file, code);
  const printed: string[] = [];
  const log = vi
    .spyOn(console, 'log')
    .mockImplementation((...values) => void printed.push(values.map(String).join(' ')));
  try {
    await import(/* @vite-ignore */ file);
  } finally {
    log.mockRestore();
  }
  return printed;
}

// A page that shows a measurement has no program to run.
const MODEL_PAGES = readdirSync(join(ROOT, 'docs/models'))
  .map((page) => `docs/models/${page}`)
  .filter((page) => page.endsWith('.md') && markdownExamples(page).length > 0);
const READMES = ['README.md', 'README.zh-CN.md', ...PACKAGES.map((name) => `packages/${name}/README.md`)];

describe.each([...READMES, ...MODEL_PAGES])('%s', (path) => {
  const examples = markdownExamples(path);
  test('has an example', () => expect(examples.length).toBeGreaterThan(0));
  test.each(examples)('$name prints what it says', async (example) => {
    expect(await run(example)).toEqual(promised(example.code));
  });
});

describe.each(PACKAGES)('doc comments of %s', async (name) => {
  const home = `@seqloom/${name}`;
  const exported = Object.keys((await import(home)) as object);
  const examples = documentedExamples(`packages/${name}/src`, home, exported);
  test('hold examples', () => expect(examples.length).toBeGreaterThan(0));
  test.each(examples)('$name prints what it says', async (example) => {
    expect(await run(example)).toEqual(promised(example.code));
  });
});
