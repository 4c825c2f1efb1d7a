// kernels/*.ts (AssemblyScript) -> src/wasm/kernels-{simd,relaxed}.generated.ts: the module's bytes as base64, so that
// no path has to be resolved, in Node or in a browser.
import { mkdir, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import asc from 'assemblyscript/asc';
import { microKernels } from './micro-kernels.js';

const root = fileURLToPath(new URL('..', import.meta.url));
const FLAGS = [
  '-O3',
  '--noAssert',
  '--runtime',
  'stub',
  '--importMemory',
  '--noExportMemory',
  '--enable',
  'simd',
  '--use',
  'abort=',
];
const VARIANTS = { simd: [], relaxed: ['--enable', 'relaxed-simd'] } as const;

await writeFile(`${root}kernels/micro.generated.ts`, microKernels());
await mkdir(`${root}src/wasm`, { recursive: true });
for (const [variant, extra] of Object.entries(VARIANTS)) {
  let bytes: Uint8Array | undefined;
  let declarations = '';
  const { error, stderr } = await asc.main(
    ['kernels/index.ts', ...FLAGS, ...extra, '--baseDir', root, '--bindings', 'raw', '--outFile', 'kernels.wasm'],
    {
      writeFile: (name, contents) => {
        if (typeof contents !== 'string') bytes = contents;
        else if (name.endsWith('.d.ts')) declarations = contents;
      },
    },
  );
  if (error || !bytes) throw new Error(`kernels (${variant}) do not compile:\n${stderr.toString()}`);
  await writeFile(`${root}src/wasm/kernel-exports.generated.ts`, kernelExports(declarations));
  await writeFile(
    `${root}src/wasm/kernels-${variant}.generated.ts`,
    `/** ${bytes.length} bytes of WebAssembly, base64. */\nexport const KERNELS_${variant.toUpperCase()} =\n  '${Buffer.from(bytes).toString('base64')}';\n`,
  );
}

/** The compiler's declarations of the exports -> one interface. */
function kernelExports(declarations: string): string {
  const functions = [...declarations.matchAll(/export function (\w+\([^)]*\): \w+;)/g)].map((m) => `  ${m[1]}`);
  return `/** What the kernel module exports; pointers are byte addresses in tfjs' heap. */\nexport interface KernelExports {\n${functions.join('\n')}\n}\n`;
}
