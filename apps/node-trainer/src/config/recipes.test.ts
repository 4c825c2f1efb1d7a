import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { loadRunConfig } from './load-config.js';

const folder = fileURLToPath(new URL('../../recipes', import.meta.url));

test('the recipes are those that the documentation names', () => {
  expect(readdirSync(folder).sort()).toEqual(
    [
      'dates',
      'g2p',
      'multi30k',
      'notes-additive',
      'notes-dot',
      'notes-plain',
      'notes-qkv',
      'reverse',
      'tatoeba',
      'zh-en-demo',
    ].map((name) => `${name}.yaml`),
  );
});

test.each(readdirSync(folder))('%s is a config that the schema accepts', async (name) => {
  const overrides = name === 'tatoeba.yaml' ? [{ path: ['data', 'train'], value: 'x.tsv', flag: '--data x.tsv' }] : [];
  expect((await loadRunConfig(`${folder}/${name}`, overrides)).name).toBe(name.replace('.yaml', ''));
});
