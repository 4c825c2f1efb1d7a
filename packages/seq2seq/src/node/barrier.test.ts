import { Worker } from 'node:worker_threads';
import { expect, test } from 'vitest';
import { Barrier } from './barrier.js';

const shared = () => new Int32Array(new SharedArrayBuffer(4));

test('nobody passes before all are there, however often', async () => {
  const arrivals = shared();
  const barrier = new Barrier(arrivals, 2);
  const worker = new Worker(
    `const { workerData: arrivals } = require('node:worker_threads');
     for (let i = 0; i < 3; i++) {
       Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 30);
       Atomics.add(arrivals, 0, 1);
     }`,
    { eval: true, workerData: arrivals },
  );
  for (let i = 1; i <= 3; i++) {
    await barrier.pass(() => {});
    expect(Atomics.load(arrivals, 0)).toBeGreaterThanOrEqual(2 * i);
  }
  await worker.terminate();
});

test('the count may run over the largest number', async () => {
  const arrivals = shared();
  arrivals[0] = 0x7fffffff;
  const [one, other] = [new Barrier(arrivals, 2), new Barrier(arrivals, 2)];
  for (const barrier of [one, other]) Object.assign(barrier, { expected: 0x7fffffff });
  const passed = one.pass(() => {});
  other.wait();
  await passed;
  expect(arrivals[0]).toBe(-0x7fffffff);
});

test('a wait is ended by what the check throws', async () => {
  const barrier = new Barrier(shared(), 2);
  const stopped = () => {
    throw new Error('worker 2 stopped');
  };
  await expect(barrier.pass(stopped)).rejects.toThrow('worker 2 stopped');
});
