// tfjs-core registers no gradients in Node, and the file that would do it does not load there (its imports lack
// extensions). So it is bundled here, as a plain list of gradient configs. Whatever the public entry of tfjs-core exports is
// imported from there; the few internal ops it does not export are bundled. No second engine comes along.

import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import * as core from '@tensorflow/tfjs-core';
import { build, type Plugin } from 'esbuild';

const CORE = '@tensorflow/tfjs-core';
const out = fileURLToPath(new URL('../src/tfjs-gradients.generated.ts', import.meta.url));
const dist = dirname(createRequire(import.meta.url).resolve(`${CORE}/dist/register_all_gradients.js`));
const NAMESPACES = { util: core.util, backend_util: core.backend_util, slice_util: core.slice_util };
const PUBLIC = new Set(Object.keys(core));

async function exportedNames(file: string): Promise<string[]> {
  const source = await readFile(file, 'utf8');
  const lists = [...source.matchAll(/export \{([^}]*)\}/g)].flatMap((m) => (m[1] as string).split(','));
  const declared = [...source.matchAll(/export (?:async )?(?:function|const|let|class|var) (\w+)/g)].map(
    (m) => m[1] as string,
  );
  const stars = [...source.matchAll(/export \* from '([^']+)'/g)].map((m) =>
    exportedNames(`${resolve(dirname(file), m[1] as string)}.js`),
  );
  const inherited = (await Promise.all(stars)).flat();
  return [...inherited, ...declared, ...lists.map((item) => item.split(' as ').pop()?.trim() ?? '')].filter(Boolean);
}

/** The public way to a module's names, as source text, or undefined where there is none. */
function publicShim(file: string, names: string[]): string | undefined {
  if (file === join(dist, 'engine.js')) return `import { engine } from '${CORE}'; export const ENGINE = engine();`;
  if (file === join(dist, 'kernel_names.js')) {
    return Object.entries(core)
      .filter(([name]) => names.includes(name))
      .map(([name, value]) => `export const ${name} = ${JSON.stringify(value)};`)
      .join('');
  }
  // The internal ops turn what they get into tensors; gradients hand them nothing else.
  if (file === join(dist, 'tensor_util_env.js')) return 'export const convertToTensor = (x) => x;';
  if (names.every((name) => PUBLIC.has(name))) return `export { ${names.join(', ')} } from '${CORE}';`;
  const home = Object.entries(NAMESPACES).find(([, space]) => names.every((name) => name in space))?.[0];
  return home && `import { ${home} } from '${CORE}'; export const { ${names.join(', ')} } = ${home};`;
}

const throughPublicEntry: Plugin = {
  name: 'through-the-public-entry',
  setup(build) {
    build.onResolve({ filter: /^\.\.?\// }, async ({ path, resolveDir, kind }) => {
      const file = `${resolve(resolveDir, path)}.js`;
      if (kind === 'entry-point' || file.includes('/gradients/')) return undefined;
      const shim = publicShim(file, await exportedNames(file));
      return shim
        ? { path: file, namespace: 'public', pluginData: shim, sideEffects: false }
        : { path: file, sideEffects: false };
    });
    build.onResolve({ filter: new RegExp(`^${CORE}$`) }, () => ({ path: CORE, external: true, sideEffects: false }));
    build.onLoad({ filter: /.*/, namespace: 'public' }, ({ pluginData }) => ({
      contents: pluginData,
      resolveDir: dist,
    }));
  },
};

const source = await readFile(join(dist, 'register_all_gradients.js'), 'utf8');
const contents = source.replace(/for \(const \w+ of gradConfigs\) \{[^}]*\}/, 'export { gradConfigs };');
if (contents === source) throw new Error(`${CORE}: register_all_gradients.js has another form than expected`);
const { outputFiles } = await build({
  stdin: { contents, resolveDir: dist },
  bundle: true,
  write: false,
  format: 'esm',
  target: 'es2022',
  plugins: [throughPublicEntry],
  legalComments: 'none',
  minify: true,
});
const bundle = (outputFiles[0] as { text: string }).text;
const typed = bundle.replace(/export\s*\{\s*(\w+) as gradConfigs\s*\}/, 'export const gradConfigs: GradConfig[] = $1');
if (typed === bundle) throw new Error('the bundle of gradients ends in another way than expected');
const header = [
  '// @ts-nocheck',
  "// Bundled from @tensorflow/tfjs-core's dist/register_all_gradients.js (Apache-2.0, Google LLC).",
  `import type { GradConfig } from '${CORE}';`,
];
await mkdir(dirname(out), { recursive: true });
await writeFile(out, `${header.join('\n')}\n${typed}`);
