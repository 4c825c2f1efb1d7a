// Runs a TypeScript program of the workspace from its source: node scripts/from-source.mjs FILE [ARGUMENT…]
// Kernels are generated first where they are missing or old, in silence. Standard output is the program's alone, paths are
// seen from the caller's folder, exit codes and signals pass through.
import { spawn, spawnSync } from 'node:child_process';
import { readdirSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const loader = pathToFileURL(createRequire(import.meta.url).resolve('tsx')).href;
const [program, ...rest] = process.argv.slice(2);

if (generatedIsOld()) generate();

// biome-ignore lint/suspicious/noUndeclaredEnvVars: pnpm sets it for whatever it runs, no task's output depends on it
const folder = process.env.INIT_CWD ?? process.cwd();
const child = spawn(
  process.execPath,
  ['--conditions=@seqloom/source', '--import', loader, path.join(root, program), ...rest],
  { stdio: 'inherit', cwd: folder },
);
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
child.on('exit', (code, signal) => {
  process.exitCode = code ?? (signal === 'SIGINT' ? 130 : 143);
});

/** Whether a kernel is newer than what was made of the kernels. */
function generatedIsOld() {
  const folder = path.join(root, 'packages/tensor-ops');
  const made = filesIn(path.join(folder, 'src')).filter((file) => file.endsWith('.generated.ts'));
  const sources = [...filesIn(path.join(folder, 'kernels')), ...filesIn(path.join(folder, 'scripts'))];
  const time = (file) => statSync(file).mtimeMs;
  return made.length < 2 || Math.min(...made.map(time)) < Math.max(...sources.map(time));
}

function filesIn(folder) {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.join(entry.parentPath, entry.name));
}

function generate() {
  const folder = path.join(root, 'packages/tensor-ops');
  for (const script of ['scripts/build-kernels.ts', 'scripts/build-gradients.ts']) {
    const { status, stdout, stderr } = spawnSync(process.execPath, ['--import', loader, script], {
      cwd: folder,
      encoding: 'utf8',
    });
    if (status === 0) continue;
    process.stderr.write(`${stdout}${stderr}\nseqloom: the kernels could not be built\n`);
    process.exit(1);
  }
}
