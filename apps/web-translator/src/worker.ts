// The worker: the model and WebAssembly live here, so the page never waits.
import { splitSentences, TextCodec } from '@seqloom/data-tokenizer';
import { fetchStore, loadModel, type Seq2Seq, type Store, translate, useBackend } from '@seqloom/seq2seq';
import { fileStore } from './file-store.js';
import type { FromWorker, Sentence, ToWorker } from './protocol.js';

interface Opened {
  model: Seq2Seq;
  codec: TextCodec;
}

let opened: Opened | null = null;
let running: { id: number; abort: AbortController } | null = null;

const send = (message: FromWorker) => postMessage(message);

addEventListener('message', async ({ data }: MessageEvent<ToWorker>) => {
  try {
    if (data.type === 'load') await open(fetchStore(data.url));
    else if (data.type === 'load-files') await open(fileStore(data.files));
    else if (data.type === 'cancel') cancel(data.id);
    else await run(data);
  } catch (error) {
    send({
      type: 'failed',
      id: 'id' in data ? data.id : null,
      message: error instanceof Error ? error.message : String(error),
    });
  }
});

async function open(store: Store): Promise<void> {
  const backend = await useBackend();
  const { model, text } = await loadModel(store);
  const codec = await TextCodec.load(store, text);
  opened?.model.dispose();
  opened = { model, codec };
  const parameters = model.parameters().reduce((sum, { size }) => sum + size, 0);
  const name =
    backend.simd === null ? backend.name : `${backend.name} ${backend.simd === 'relaxed' ? 'relaxed-simd' : 'simd'}`;
  send({
    type: 'ready',
    status: { backend: name, reason: backend.reason, model: codec.direction ?? store.label, parameters },
  });
}

function cancel(id: number): void {
  if (running?.id === id) running.abort.abort();
}

async function run({ id, text, beam }: Extract<ToWorker, { type: 'translate' }>): Promise<void> {
  if (!opened) throw new Error('No model is open yet.');
  running?.abort.abort();
  const abort = new AbortController();
  running = { id, abort };
  const start = performance.now();
  const sentences = splitSentences(text, opened.codec.source.settings.language ?? 'und');
  for (const [index, { text: source }] of sentences.entries()) {
    if (abort.signal.aborted) break;
    await translateSentence(opened, id, index, source, beam, abort.signal);
  }
  send({ type: 'done', id, milliseconds: Math.round(performance.now() - start), cancelled: abort.signal.aborted });
}

/** Sends the sentence anew at every token. */
async function translateSentence(
  { model, codec }: Opened,
  id: number,
  index: number,
  text: string,
  beam: number,
  signal: AbortSignal,
): Promise<void> {
  const { ids, pieces } = codec.source.encode(text);
  const read = ids.subarray(0, codec.maxPieces);
  const sentence: Sentence = {
    index,
    source: pieces.slice(0, codec.maxPieces),
    target: [],
    weights: [],
    translation: '',
    cutAt: ids.length > codec.maxPieces ? codec.maxPieces : null,
    done: false,
  };
  const tokens: number[] = [];
  for await (const { token, attention } of translate(model, read, { beam, signal })) {
    const ended = token === model.config.eosId;
    if (!ended) tokens.push(token);
    if (attention) {
      sentence.target.push(ended ? END : (codec.target.labels([token])[0] ?? ''));
      sentence.weights.push([...attention]);
    }
    sentence.translation = codec.target.decode(tokens);
    send({ type: 'sentence', id, sentence });
  }
  send({ type: 'sentence', id, sentence: { ...sentence, done: true } });
}

/** What stands for the end of a sentence among the target's labels. */
const END = '</s>';
