// Runs tfjs-core's own specs on its wasm backend with our kernels, or without; see README.md.
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { build } from 'esbuild';

/** Failing specs by full name, with the first message of each. */
type Failures = Record<string, string>;

const { values: options } = parseArgs({
  options: {
    only: { type: 'string' },
    failures: { type: 'string' },
    stock: { type: 'boolean', default: false },
    record: { type: 'boolean', default: false },
  },
});

const here = dirname(fileURLToPath(import.meta.url));
const baselineFile = join(here, 'stock-failures.json');
const resolvePackage = (name: string) => dirname(createRequire(import.meta.url).resolve(`${name}/package.json`));
const core = join(resolvePackage('@tensorflow/tfjs-core'), 'dist');
const wasmFiles = join(resolvePackage('@tensorflow/tfjs-backend-wasm'), 'wasm-out');

function report(line: string): void {
  process.stdout.write(`${line}\n`);
}

/** Names of tfjs-core's spec files below its dist folder. */
function specFiles(): string[] {
  const wanted = options.only?.split(',');
  const inFolder = (folder: string) => readdirSync(join(core, folder)).map((file) => `${folder}/${file}`);
  return [...inFolder('ops'), ...inFolder('optimizers'), 'gradients_test.js']
    .filter((file) => file.endsWith('_test.js'))
    .filter((file) => !wanted || wanted.some((stem) => file.endsWith(`/${stem}_test.js`)));
}

/** The program: tfjs and the specs in one bundle, so that they share one engine; jasmine stays outside. */
function program(bundle: string): string {
  const tfjs = '@tensorflow/tfjs-core';
  return `
    import Jasmine from 'jasmine';
    import * as tf from '${tfjs}';
    import '${tfjs}/dist/register_all_gradients.js';
    import '${tfjs}/dist/public/chained_ops/register_all_chained_ops.js';
    import { setTestEnvs } from '${tfjs}/dist/jasmine_util.js';
    import '@tensorflow/tfjs-backend-cpu';
    import { setWasmPaths } from '@tensorflow/tfjs-backend-wasm';
    ${options.stock ? '' : `import { register } from ${JSON.stringify(join(here, 'register.ts'))};`}
    export async function run() {
      setWasmPaths(${JSON.stringify(`${wasmFiles}/`)});
      const jasmine = new Jasmine({ projectBaseDir: ${JSON.stringify(dirname(bundle))} });
      jasmine.loadConfig({ spec_dir: '.', spec_files: [], random: false });
      jasmine.exitOnCompletion = false;
      jasmine.clearReporters();
      let total = 0;
      const failures = {};
      jasmine.addReporter({
        specDone({ fullName, status, failedExpectations }) {
          total++;
          if (status === 'failed') failures[fullName] = String(failedExpectations[0]?.message).slice(0, 200);
        },
      });
      setTestEnvs([{ name: 'wasm', backendName: 'wasm', flags: {}, isDataSync: true }]);
      await tf.setBackend('wasm');
      ${options.stock ? '' : 'await register();'}
      ${specFiles()
        .map((file) => `await import('${tfjs}/dist/${file}');`)
        .join('\n')}
      await jasmine.execute();
      return { total, failures };
    }`;
}

/** What tfjs' wasm glue code expects of CommonJS. */
const commonJsNames = `
  import { createRequire as makeRequire } from 'node:module';
  const require = makeRequire(import.meta.url), __filename = new URL(import.meta.url).pathname, __dirname = '';`;

let runs = 0;

async function runSuite(): Promise<{ total: number; failures: Failures }> {
  const folder = join(here, 'node_modules/.cache');
  mkdirSync(folder, { recursive: true });
  const outfile = join(folder, `suite-${runs++}.mjs`);
  await build({
    stdin: { contents: program(outfile), resolveDir: here, loader: 'js' },
    outfile,
    bundle: true,
    platform: 'node',
    format: 'esm',
    mainFields: ['module', 'main'],
    conditions: ['@seqloom/source'],
    external: ['jasmine'],
    logLevel: 'error',
    banner: { js: commonJsNames },
  });
  const silenced = { ...console };
  Object.assign(console, { warn: () => {}, error: () => {} }); // the specs provoke warnings by the hundred
  try {
    const { run } = (await import(pathToFileURL(outfile).href)) as { run: () => ReturnType<typeof runSuite> };
    return await run();
  } finally {
    Object.assign(console, silenced);
  }
}

if (options.record) {
  const failures: Failures = {};
  for (let run = 0; run < 3; run++) Object.assign(failures, (await runSuite()).failures);
  writeFileSync(baselineFile, `${JSON.stringify(failures, null, 1)}\n`);
  report(`${Object.keys(failures).length} failing specs recorded`);
} else {
  const { total, failures } = await runSuite();
  const stock = JSON.parse(readFileSync(baselineFile, 'utf8')) as Failures;
  const broken = Object.keys(failures).filter((name) => !(name in stock));
  const mended = Object.keys(stock).filter((name) => !(name in failures));
  if (options.failures) writeFileSync(options.failures, `${JSON.stringify(failures, null, 1)}\n`);
  for (const name of broken) report(`broken: ${name}\n    ${failures[name]}`);
  if (!options.only) report(`${mended.length} of ${Object.keys(stock).length} that fail on the stock backend pass`);
  report(
    `${total - Object.keys(failures).length} passed, ${Object.keys(failures).length} failed, ${broken.length} broken`,
  );
  process.exitCode = broken.length > 0 ? 1 : 0;
}
