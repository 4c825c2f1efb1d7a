import { expect, test } from 'vitest';
import { imports, manifest, PACKAGES, sources } from './workspace.js';

// Which package may import which. Nothing points sideways or up.
const ARROWS: Record<(typeof PACKAGES)[number], string[]> = {
  'data-tokenizer': [],
  'tensor-ops': [],
  attention: ['@seqloom/tensor-ops'],
  rnn: ['@seqloom/tensor-ops'],
  seq2seq: ['@seqloom/attention', '@seqloom/rnn', '@seqloom/tensor-ops'],
};

test.each(PACKAGES)('%s imports only the packages below it', (name) => {
  const seen = sources(`packages/${name}/src`).flatMap(({ path, text }) =>
    imports(text)
      .filter((specifier) => specifier.startsWith('@seqloom/'))
      .filter(
        (specifier) => !ARROWS[name].some((allowed) => specifier === allowed || specifier.startsWith(`${allowed}/`)),
      )
      .map((specifier) => `${path} imports ${specifier}`),
  );
  expect(seen).toEqual([]);
  const declared = Object.keys(manifest(`packages/${name}`).dependencies ?? {}).filter((d) =>
    d.startsWith('@seqloom/'),
  );
  expect(declared.filter((dependency) => !ARROWS[name].includes(dependency))).toEqual([]);
});

test.each(PACKAGES)('%s imports nothing it does not declare', (name) => {
  const { dependencies = {}, peerDependencies = {} } = manifest(`packages/${name}`);
  const declared = new Set([...Object.keys(dependencies), ...Object.keys(peerDependencies)]);
  const missing = sources(`packages/${name}/src`).flatMap(({ path, text }) =>
    imports(text)
      .filter((specifier) => !/^(\.|#|node:)/.test(specifier))
      .map((specifier) => specifier.match(/^(@[^/]+\/)?[^/]+/)?.[0] as string)
      .filter((dependency) => !declared.has(dependency))
      .map((dependency) => `${path} imports ${dependency}`),
  );
  expect(missing).toEqual([]);
});

test('the text side knows no tensors', () => {
  const seen = sources('packages/data-tokenizer/src').filter(({ text }) =>
    imports(text).some((s) => s.startsWith('@tensorflow/')),
  );
  expect(seen.map(({ path }) => path)).toEqual([]);
});

test.each(PACKAGES)('%s needs Node only in its node entry', (name) => {
  const seen = sources(`packages/${name}/src`).filter(
    ({ path, text }) => !path.includes('/src/node/') && imports(text).some((s) => s.startsWith('node:')),
  );
  expect(seen.map(({ path }) => path)).toEqual([]);
});

test('tfjs-core is a peer wherever it appears, so that there is one engine', () => {
  for (const name of PACKAGES) {
    expect(Object.keys(manifest(`packages/${name}`).dependencies ?? {})).not.toContain('@tensorflow/tfjs-core');
  }
});

test.each(PACKAGES)('%s names every export in a list', (name) => {
  const stars = sources(`packages/${name}/src`).filter(({ text }) => /^export \*/m.test(text));
  expect(stars.map(({ path }) => path)).toEqual([]);
});
