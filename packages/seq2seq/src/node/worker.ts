// A worker of data-parallel training: a replica of the model on a heap of its own.
import { workerData } from 'node:worker_threads';
import { useBackend } from '@seqloom/tensor-ops';
import { Seq2Seq } from '../model.js';
import { Barrier } from './barrier.js';
import { Inbox } from './mailbox.js';
import { Member } from './member.js';
import type { FromWorker, ToWorker, WorkerSetup } from './protocol.js';

const { port, thread, config, optimizer, shared } = workerData as WorkerSetup;

function answer(message: FromWorker): void {
  port.postMessage(message);
}

function obey(member: Member, barrier: Barrier, message: ToWorker): void {
  if (message === 'state') answer({ state: member.optimizerState() });
  else if ('work' in message) for (const _ of member.step(message.work)) barrier.wait();
  else {
    member.adoptAll();
    if (message.begin) member.loadOptimizerState(message.begin);
    answer('ready');
  }
}

async function main(): Promise<void> {
  await useBackend();
  const member = new Member({ thread, model: Seq2Seq.create(config), optimizer, shared });
  const barrier = new Barrier(shared.arrivals, shared.gradients.length);
  const inbox = new Inbox<ToWorker>(port, { cells: shared.told, index: thread });
  answer('ready');
  for (;;) {
    try {
      obey(member, barrier, inbox.take());
    } catch (error) {
      answer({ error: error instanceof Error ? error.message : String(error) });
    }
  }
}

void main();
