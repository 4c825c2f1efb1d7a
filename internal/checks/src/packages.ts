// Packs every package as the registry would get it, and uses it as a stranger does: installed in an empty folder, imported alone
// from an ES module and from CommonJS, its manifest judged by publint and its types by attw. Prints one line a check.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PACKAGES, ROOT } from './workspace.js';

const folder = mkdtempSync(join(tmpdir(), 'seqloom packages 汉字 '));
const bin = (name: string) => join(ROOT, 'internal/checks/node_modules/.bin', name);
let failures = 0;

function check(name: string, work: () => void): void {
  try {
    work();
    process.stdout.write(`ok    ${name}\n`);
  } catch (error) {
    failures++;
    const { stdout = '', stderr = '', message } = error as { stdout?: string; stderr?: string; message: string };
    process.stdout.write(`FAIL  ${name}\n${stdout}${stderr}${message}\n`);
  }
}

const run = (command: string, args: string[], cwd: string) =>
  execFileSync(command, args, { cwd, encoding: 'utf8', stdio: 'pipe' });

const PROGRAMS: Record<(typeof PACKAGES)[number], string> = {
  'tensor-ops': `await p.useBackend(); const l = new p.Linear({ inputSize: 2, outputSize: 3, seed: 1 });
    const { gradients } = p.valueAndGradients(() => tf.sum(l.forward(tf.ones([4, 2]))), l.parameters());
    if (gradients[1].dataSync()[0] !== 4) throw new Error('wrong gradient');`,
  attention: `const { name } = await p.useBackend(); if (name !== 'wasm') throw new Error(name);
    const x = tf.ones([1, 3, 4]); const g = tf.grad((q) => tf.sum(p.scaledDotProductAttention(q, x, x).context))(x);
    if (g.shape.join() !== '1,3,4') throw new Error('no gradient');`,
  rnn: `await p.useBackend(); const gru = new p.GRU({ inputSize: 4, hiddenSize: 3, seed: 1 });
    const g = tf.grad((x) => tf.sum(gru.forward(x).output))(tf.ones([1, 3, 4])); if (g.shape.join() !== '1,3,4') throw new Error('no gradient');`,
  seq2seq: `await p.useBackend(); const m = p.Seq2Seq.create(p.presets['notes-dot']({ sourceVocabulary: 8, targetVocabulary: 8, hiddenSize: 8, seed: 1 }));
    const out = await p.translateBatch(m, [[4, 5, 6]], { maxLength: 4 }); if (out.length !== 1) throw new Error('no translation');`,
  'data-tokenizer': `if (p.bleu(['a b c d e'], ['a b c d e']).score < 99.99) throw new Error('wrong score');`,
};

try {
  run('npx', ['-y', 'pnpm@10', '-r', '--filter', './packages/*', 'pack', '--pack-destination', folder], ROOT);
  const tarballs = readdirSync(folder).filter((file) => file.endsWith('.tgz'));
  const tarball = (name: string) =>
    join(folder, tarballs.find((file) => file.startsWith(`seqloom-${name}-`)) ?? `no tarball of ${name}`);
  for (const name of PACKAGES) {
    check(`${name}: publint`, () => run(bin('publint'), ['--strict', tarball(name)], ROOT));
    check(`${name}: types`, () => run(bin('attw'), ['--profile', 'esm-only', tarball(name)], ROOT));
  }
  const app = join(folder, 'app');
  execFileSync('mkdir', [app]);
  const dependencies = Object.fromEntries(PACKAGES.map((name) => [`@seqloom/${name}`, `file:${tarball(name)}`]));
  const tfjs = { '@tensorflow/tfjs-core': '4.22.0', '@tensorflow/tfjs-backend-wasm': '4.22.0' };
  writeFileSync(
    join(app, 'package.json'),
    JSON.stringify({ name: 'app', private: true, dependencies: { ...dependencies, ...tfjs } }),
  );
  check('npm installs the tarballs', () => run('npm', ['install', '--no-audit', '--no-fund', '--loglevel=error'], app));
  for (const name of PACKAGES) {
    const withTensors = name === 'data-tokenizer' ? '' : `import * as tf from '@tensorflow/tfjs-core';`;
    writeFileSync(
      join(app, `${name}.mjs`),
      `${withTensors}\nimport * as p from '@seqloom/${name}';\n${PROGRAMS[name]}\n`,
    );
    check(`${name}: a program of its own`, () => run('node', [`${name}.mjs`], app));
    const required = withTensors ? `const tf = require('@tensorflow/tfjs-core');` : '';
    writeFileSync(
      join(app, `${name}.cjs`),
      `${required}\nconst p = require('@seqloom/${name}');\n(async () => {${PROGRAMS[name]}})();\n`,
    );
    check(`${name}: a CommonJS program of its own`, () => run('node', [`${name}.cjs`], app));
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}
process.exitCode = failures > 0 ? 1 : 0;
