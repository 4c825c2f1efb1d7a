// The worker: a model and WebAssembly live here, so the page never waits.
import { useBackend } from '@seqloom/seq2seq';
import { failureOf } from './failure-of.js';
import { trainModel } from './live-training.js';
import { type Opened, openModel } from './open-model.js';
import type { FromWorker, ToWorker } from './protocol.js';
import { translateText } from './translate-text.js';

let opened: Opened | null = null;
let running: { id: number; abort: AbortController } | null = null;
const stopTraining = new AbortController();

const send = (message: FromWorker) => postMessage(message);

addEventListener('message', ({ data }: MessageEvent<ToWorker>) => {
  answer(data).catch((error: unknown) => send({ type: 'failed', failure: failureOf(error) }));
});

async function answer(message: ToWorker): Promise<void> {
  switch (message.type) {
    case 'load': {
      const backend = await useBackend();
      opened = await openModel(message.source, message.precision, (share) => send({ type: 'loading', share }));
      return send({ type: 'ready', status: { ...opened.about, backend } });
    }
    case 'translate':
      return run(message);
    case 'cancel':
      if (running?.id === message.id) running.abort.abort();
      return;
    case 'train':
      await useBackend();
      return trainModel(message.request, send, stopTraining.signal);
    case 'stop':
      return stopTraining.abort();
  }
}

async function run({ id, text, beam }: Extract<ToWorker, { type: 'translate' }>): Promise<void> {
  if (!opened) throw new Error('No model is open yet.');
  running?.abort.abort();
  const abort = new AbortController();
  running = { id, abort };
  const start = performance.now();
  const view = (sentence: Extract<FromWorker, { type: 'sentence' }>['sentence']) =>
    send({ type: 'sentence', id, sentence });
  await translateText(opened, text, beam, view, abort.signal);
  send({ type: 'done', id, milliseconds: Math.round(performance.now() - start), cancelled: abort.signal.aborted });
}
