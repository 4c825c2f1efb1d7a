import { engine } from '@tensorflow/tfjs-core';
import { expect, test } from 'vitest';
import { currentBackend, useBackend } from './backend.js';
import { runFresh } from './testing/fresh-process.js';

test('before the start, what needs a backend says so in one sentence', () => {
  const { code, output } = runFresh(`
    import { currentBackend, Linear } from '@seqloom/tensor-ops';
    for (const run of [() => new Linear({ inputSize: 2, outputSize: 2, seed: 1 }), currentBackend]) {
      try { run(); } catch (error) { console.log(error.message); }
    }`);
  expect(output.split('\n')).toEqual([
    'parameter: no backend runs yet; call await useBackend() first',
    'currentBackend: no backend runs yet; call await useBackend() first',
  ]);
  expect(code).toBe(0);
});

test('starts wasm, says why, and gives the same answer again', async () => {
  const info = await useBackend();
  expect(info).toMatchObject({ name: 'wasm', reason: expect.stringContaining('SIMD') });
  expect(engine().backendName).toBe('wasm');
  expect(await useBackend()).toBe(info);
  expect(currentBackend()).toBe(info);
});

test('a fresh Node program takes gradients after nothing but useBackend', () => {
  const { code, output, errors } = runFresh(`
    import { useBackend } from '@seqloom/tensor-ops';
    import * as tf from '@tensorflow/tfjs-core';
    const { name } = await useBackend();
    const d = tf.grad((x) => tf.sum(tf.matMul(x, x, false, true)))(tf.ones([2, 2]));
    console.log(name, [...d.dataSync()].join());`);
  expect(errors).toBe('');
  expect(output).toBe('wasm 4,4,4,4');
  expect(code).toBe(0);
});

test("the program's own errors keep their message and exit code", () => {
  const { code, errors } = runFresh(`
    import { useBackend } from '@seqloom/tensor-ops';
    await useBackend();
    if (process.listenerCount('uncaughtException') + process.listenerCount('unhandledRejection')) throw new Error('listeners left');
    setTimeout(() => { throw new Error('mine'); });`);
  expect(errors).toContain('Error: mine');
  expect(errors.length).toBeLessThan(2000);
  expect(code).toBe(1);
});

test('without WebAssembly the cpu backend runs, and the reason names it', () => {
  const { output, code } = runFresh(`
    import { linear, useBackend } from '@seqloom/tensor-ops';
    import * as tf from '@tensorflow/tfjs-core';
    await import('@tensorflow/tfjs-backend-cpu'); // Node's own loader needs WebAssembly
    delete globalThis.WebAssembly;
    const info = await useBackend();
    const dw = tf.grad((w) => tf.sum(linear(tf.ones([3, 2]), w)))(tf.ones([1, 2]));
    console.log(JSON.stringify(info), [...dw.dataSync()].join());`);
  const reason = "this engine has no WebAssembly; tfjs' cpu backend is many times slower";
  expect(output).toBe(`${JSON.stringify({ name: 'cpu', simd: null, reason })} 3,3`);
  expect(code).toBe(0);
});

test('a backend that cannot be started is no dead end: the reason is told and the next call tries again', () => {
  const { output } = runFresh(`
    import { useBackend } from '@seqloom/tensor-ops';
    import { env } from '@tensorflow/tfjs-core';
    const { getAsync } = env();
    env().getAsync = async () => { throw new Error('not now'); };
    await useBackend().catch((error) => console.log(error.message));
    env().getAsync = getAsync;
    console.log((await useBackend()).name);`);
  expect(output.split('\n')).toEqual(['not now', 'wasm']);
});
