import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { expect, test } from 'vitest';
import { runFresh } from './testing/fresh-process.js';

const USE = `
  const table = tf.variable(tf.zeros([4, 2]));
  const { grads } = tf.variableGrads(() => tf.sum(tf.gather(table, tf.tensor1d([1, 3, 1], 'int32'))));
  const fused = tf.fused.matMul({ a: tf.ones([1, 2, 3]), b: tf.ones([1, 2, 3]), transposeB: true, bias: tf.ones([2]) });
  console.log(tf.getBackend(), [...Object.values(grads)[0].dataSync()].join(), [...fused.dataSync()].join());`;
const EXPECTED = 'wasm 0,0,2,2,0,0,1,1 4,4,4,4';

test('imported before the backend starts, gradients and kernels are there', () => {
  const { output, errors } = runFresh(`
    import '@seqloom/tensor-ops/register';
    import * as tf from '@tensorflow/tfjs-core';
    await tf.setBackend('wasm');${USE}`);
  expect(errors).toBe('');
  expect(output).toBe(EXPECTED);
});

test('imported after the backend has started, they are there as well', () => {
  const { output, errors } = runFresh(`
    import * as tf from '@tensorflow/tfjs-core';
    import '@tensorflow/tfjs-backend-wasm';
    await tf.setBackend('wasm');
    await import('@seqloom/tensor-ops/register');${USE}`);
  expect(errors).toBe('');
  expect(output).toBe(EXPECTED);
});

test('registering twice, or beside useBackend, changes nothing', () => {
  const { output, errors } = runFresh(`
    import '@seqloom/tensor-ops/register';
    import { useBackend } from '@seqloom/tensor-ops';
    import * as tf from '@tensorflow/tfjs-core';
    const kernels = () => tf.getKernelsForBackend('wasm').map(({ kernelFunc }) => kernelFunc);
    const before = kernels();
    await useBackend();
    const after = kernels();
    console.log(before.length === after.length && before.every((kernel) => after.includes(kernel)));${USE}`);
  expect(errors).toBe('');
  expect(output).toBe(`true\n${EXPECTED}`);
});

test('require() loads it, as it is one module without top-level await', async () => {
  const folder = mkdtempSync(fileURLToPath(new URL('../node_modules/.register-', import.meta.url)));
  try {
    await build({
      entryPoints: [fileURLToPath(new URL('register.ts', import.meta.url))],
      outfile: join(folder, 'register.mjs'),
      bundle: true,
      packages: 'external',
      format: 'esm',
      platform: 'node',
    });
    writeFileSync(
      join(folder, 'program.cjs'),
      `require('./register.mjs');
       const tf = require('@tensorflow/tfjs-core');
       tf.setBackend('wasm').then(() => {${USE}});`,
    );
    const { output } = runFresh(`require(${JSON.stringify(join(folder, 'program.cjs'))})`, ['--no-warnings']);
    expect(output).toBe(EXPECTED);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
