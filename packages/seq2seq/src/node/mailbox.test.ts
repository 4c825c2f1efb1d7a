import { MessageChannel, Worker } from 'node:worker_threads';
import { expect, test } from 'vitest';
import { Inbox, Outbox } from './mailbox.js';

const shared = () => new Int32Array(new SharedArrayBuffer(8));

test('messages come in their order, past the largest count', () => {
  const { port1, port2 } = new MessageChannel();
  const counter = { cells: shared(), index: 1 };
  const [outbox, inbox] = [new Outbox<string>(port1, counter), new Inbox<string>(port2, counter)];
  counter.cells[1] = 0x7fffffff;
  Object.assign(inbox, { taken: 0x7fffffff });
  outbox.post('one');
  outbox.post('two');
  expect([inbox.take(), inbox.take()]).toEqual(['one', 'two']);
  outbox.post('three');
  expect(inbox.take()).toBe('three');
  expect(counter.cells[0]).toBe(0);
  port1.close();
});

test('one who sleeps is woken', async () => {
  const { port1, port2 } = new MessageChannel();
  const counter = { cells: shared(), index: 0 };
  const worker = new Worker(
    `const { workerData: { port, cells } } = require('node:worker_threads');
     Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 100);
     port.postMessage('late');
     Atomics.add(cells, 0, 1);
     Atomics.notify(cells, 0);`,
    { eval: true, workerData: { port: port1, cells: counter.cells }, transferList: [port1] },
  );
  expect(new Inbox<string>(port2, counter).take()).toBe('late');
  await worker.terminate();
});
