// Training in the page: a small attention model on a two-column file, with what `pnpm demo` trains with.
import {
  batches,
  bosId,
  CharacterTokenizer,
  type EncodedPair,
  eosId,
  Normalizer,
  openCorpus,
  padId,
  split,
  TextCodec,
  TextSide,
  unkId,
  WordTokenizer,
} from '@seqloom/data-tokenizer';
import { evaluateLoss, memoryStore, Seq2Seq, saveModel, train, translateBatch } from '@seqloom/seq2seq';
import { zipSync } from 'fflate';
import type { AttentionMap } from './attention-svg.js';
import { FailureError, messageOf } from './failure.js';
import { failureOf } from './failure-of.js';
import type { Sample, TrainingMessage, TrainingRequest } from './protocol.js';

// What a page can train in minutes.
const FEWEST_PAIRS = 20;
const MOST_PAIRS = 20_000;
const MOST_CHARACTERS = 300;
const MOST_PIECES = 100;
const LARGEST_VOCABULARY = 5_000;
const BATCH = 64;
const HELD_OUT = 200;
const SAMPLES = 4;

interface TextPair {
  readonly source: string;
  readonly target: string;
}

/**
 * Trains a model and tells how it goes; at the end, or when `signal` ends it, the model folder as files and as a zip.
 *
 * @throws FailureError on a file that cannot be read or holds too little; TrainingDiverged
 */
export async function trainModel(
  request: TrainingRequest,
  tell: (message: TrainingMessage) => void,
  signal: AbortSignal,
): Promise<void> {
  if (!globalThis.crypto?.subtle) throw new FailureError({ code: 'no-crypto' });
  const file = nameOf(request.corpus);
  const { pairs, dropped } = await readPairs(request);
  const parts = split(pairs, { valid: Math.min(HELD_OUT, Math.ceil(pairs.length / 30)), seed: 1, by: sourceOf });
  if (parts.train.length === 0) throw new FailureError({ code: 'one-source', file });
  const codec = await learnCodec(parts.train, request);
  const encode = ({ source, target }: TextPair): EncodedPair => ({
    source: codec.source.encode(source).ids,
    target: codec.target.encode(target).ids,
  });
  const fits = ({ source, target }: EncodedPair) => source.length <= MOST_PIECES && target.length <= MOST_PIECES;
  const encoded = parts.train.map(encode).filter(fits);
  const heldOut = parts.valid.map((pair) => ({ pair, ids: encode(pair) })).filter(({ ids }) => fits(ids));
  if (encoded.length === 0 || heldOut.length === 0) {
    throw new FailureError({ code: 'long-pairs', file, most: MOST_PIECES });
  }

  const model = createModel(codec);
  const plan = batches(encoded, { sentences: BATCH, seed: 1 });
  const valid = batches(
    heldOut.map(({ ids }) => ids),
    { sentences: BATCH },
  );
  const totalSteps = request.epochs * plan.count(0);
  tell({
    type: 'prepared',
    pairs: encoded.length,
    dropped: dropped + parts.train.length - encoded.length,
    parameters: model.parameters().reduce((sum, { size }) => sum + size, 0),
    steps: totalSteps,
  });

  const validate = async () => ({ loss: (await evaluateLoss(model, valid.epoch(0))).loss });
  const run = train(model, (epoch) => plan.epoch(epoch), {
    epochs: request.epochs,
    optimizer: { learningRate: 0.004 },
    schedule: {
      name: 'linear',
      warmUpSteps: Math.min(50, Math.ceil(totalSteps / 10)),
      constantSteps: Math.floor(0.45 * totalSteps),
      totalSteps,
      finalShare: 0.03,
    },
    validate,
    signal,
  });
  let stopped = false;
  for await (const event of run) {
    if (event.type === 'step') {
      const { step, loss, tokensPerSecond } = event;
      tell({ type: 'step', step, loss, tokensPerSecond });
    } else if (event.type === 'validation') {
      const { samples, attention } = await translateHeldOut();
      const exact = samples.filter(({ reference, translation }) => reference === translation).length;
      const loss = event.metrics.loss!;
      tell({
        type: 'validation',
        step: event.step,
        loss,
        exact,
        of: samples.length,
        samples: samples.slice(0, SAMPLES),
        attention,
      });
    } else if (event.type === 'done') stopped = event.reason === 'aborted';
  }
  tell({ type: 'trained', ...(await modelFiles(model, codec)), stopped });

  async function translateHeldOut(): Promise<{ samples: Sample[]; attention: AttentionMap }> {
    const sources = heldOut.map(({ ids }) => ids.source);
    const found = await translateBatch(model, sources, { batchSize: BATCH, signal });
    const samples = heldOut.map(({ pair }, i) => ({
      source: pair.source,
      reference: codec.target.normalizer.apply(pair.target),
      translation: codec.target.decode(found[i]![0]!.tokens),
    }));
    const first = found[0]![0]!;
    const attention = {
      source: [...codec.source.encode(samples[0]!.source).pieces],
      target: codec.target.labels(first.tokens),
      weights: first.attention.map((row) => [...row]),
    };
    return { samples, attention };
  }
}

const sourceOf = ({ source }: TextPair) => source;

/** The first pairs of the file, in the direction that is asked for. */
async function readPairs({ corpus, backward }: TrainingRequest): Promise<{ pairs: TextPair[]; dropped: number }> {
  const file = nameOf(corpus);
  const [source, target] = backward ? [2, 1] : [1, 2];
  const opened = openCorpus(await openFile(corpus), {
    source,
    target,
    name: file,
    onInvalid: 'skip',
    filters: { maxLength: MOST_CHARACTERS, duplicates: true },
  });
  const pairs: TextPair[] = [];
  try {
    for await (const pair of opened) {
      pairs.push({ source: pair.source, target: pair.target });
      if (pairs.length === MOST_PAIRS) break;
    }
  } catch (error) {
    throw new FailureError(failureOf(error, (said) => ({ code: 'bad-corpus', file, said })));
  }
  if (pairs.length < FEWEST_PAIRS) {
    throw new FailureError({ code: 'too-few-pairs', file, least: FEWEST_PAIRS, pairs: pairs.length });
  }
  const { read, kept } = opened.report();
  return { pairs, dropped: read - kept };
}

async function openFile(corpus: string | File): Promise<Blob> {
  if (typeof corpus !== 'string') return corpus;
  const fail = (error: unknown): never => {
    throw new FailureError({ code: 'unreachable', url: corpus, said: messageOf(error) });
  };
  const response = await fetch(corpus).catch(fail);
  return response.ok ? response.blob().catch(fail) : fail(`${response.status} ${response.statusText}`);
}

function nameOf(corpus: string | File): string {
  return typeof corpus === 'string' ? corpus : corpus.name;
}

async function learnCodec(
  pairs: readonly TextPair[],
  { languages, backward, pieces }: TrainingRequest,
): Promise<TextCodec> {
  const [from, to] = backward ? [languages[1], languages[0]] : languages;
  const normalizer = await Normalizer.load(['nfc', 'whitespace']);
  const side = async (name: keyof TextPair, language: string | null) => {
    const texts = pairs.map((pair) => normalizer.apply(pair[name]));
    const limits = { maxSize: LARGEST_VOCABULARY };
    const tokenizer =
      pieces === 'characters'
        ? CharacterTokenizer.train(texts, limits)
        : WordTokenizer.train(texts, { ...limits, ...(language !== null && { locale: language }) });
    return new TextSide(await tokenizer, language, normalizer);
  };
  return new TextCodec({
    source: await side('source', from),
    target: await side('target', to),
    direction: from === null || to === null ? null : `${from}-${to}`,
    maxPieces: MOST_PIECES,
  });
}

function createModel(codec: TextCodec): Seq2Seq {
  return Seq2Seq.create({
    encoder: { cell: 'gru', hiddenSize: 64, bidirectional: true, embeddingSize: 64, dropout: 0.1 },
    decoder: { kind: 'luong', attention: 'scaled-dot', hiddenSize: 128, embeddingSize: 64, dropout: 0.1 },
    sourceVocabulary: codec.source.size,
    targetVocabulary: codec.target.size,
    padId,
    unkId,
    bosId,
    eosId,
    seed: 1,
  });
}

async function modelFiles(model: Seq2Seq, codec: TextCodec): Promise<{ files: File[]; zip: Blob }> {
  const store = memoryStore();
  await saveModel(model, store, { text: codec.settings() });
  await codec.save(store);
  const names = await store.list();
  const contents = await Promise.all(names.map(async (name) => (await store.read(name)) as Uint8Array<ArrayBuffer>));
  const zip = zipSync(Object.fromEntries(names.map((name, i) => [`seqloom-model/${name}`, contents[i]!])));
  return {
    files: names.map((name, i) => new File([contents[i]!], name)),
    zip: new Blob([zip as Uint8Array<ArrayBuffer>], { type: 'application/zip' }),
  };
}
