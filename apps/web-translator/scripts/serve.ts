// `pnpm web`: builds the page with a model (the demo's, which is trained first where there is none) and serves it on this machine,
// or leaves it in a folder for any web server.
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { preview } from 'vite';
import { buildPage, configFile } from './build-page.js';
import { DEMO_MODEL, ensureDemoModel } from './demo-model.js';

const USAGE = `usage: pnpm web [--model FOLDER] [--out FOLDER | --port NUMBER]
  --model  the trained model to put beside the page; default: runs/demo, trained first where there is none
  --out    writes the page there, for any web server, instead of serving it
  --port   where to serve it on this machine; default: 4173`;

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      model: { type: 'string' },
      out: { type: 'string' },
      port: { type: 'string', default: '4173' },
      help: { type: 'boolean', short: 'h', default: false },
    },
  });
  if (values.help) return void process.stdout.write(`${USAGE}\n`);
  const port = Number(values.port);
  if (!(Number.isInteger(port) && port >= 0 && port < 65536)) {
    throw new Error(`--port must be a number from 0 to 65535; got ${values.port}`);
  }
  if (values.model === undefined) ensureDemoModel('inherit');
  const model = values.model === undefined ? DEMO_MODEL : path.resolve(values.model);
  if (values.out !== undefined) {
    await buildPage({ model, outDir: path.resolve(values.out) });
    process.stdout.write(`The page is in ${values.out}: any web server can serve it, under any path.\n`);
    return;
  }
  const outDir = fileURLToPath(new URL('../node_modules/.cache/page', import.meta.url));
  await buildPage({ model, outDir, empty: true });
  const server = await preview({ configFile, appType: 'mpa', build: { outDir }, preview: { port } });
  server.printUrls();
}

main().catch((error: unknown) => {
  const { message, code } = error as Error & { code?: string };
  process.stderr.write(`web: ${message}\n${code?.startsWith('ERR_PARSE_ARGS') ? `${USAGE}\n` : ''}`);
  process.exitCode = 2;
});
