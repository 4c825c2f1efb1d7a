import { memory } from '@tensorflow/tfjs-core';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import {
  type Batch,
  evaluateLoss,
  latestCheckpoint,
  memoryStore,
  presets,
  Seq2Seq,
  type StepEvent,
  type TrainEvent,
  TrainingDiverged,
  type TrainOptions,
  train,
  translateBatch,
  uniqueState,
  useBackend,
} from '../index.js';
import { batchOf, copyBatches, sequences } from '../testing/copy-task.js';

beforeAll(async () => {
  await useBackend();
});

const task = { symbols: 8, shortest: 3, longest: 6, seed: 5 };
const sizes = { sourceVocabulary: 12, targetVocabulary: 12 };
const batches = copyBatches(4, 8, task);
let model: Seq2Seq;
beforeEach(() => {
  model?.dispose();
  model = Seq2Seq.create(presets['notes-additive']({ ...sizes, hiddenSize: 16 }));
});

async function eventsOf(options: TrainOptions, data: Parameters<typeof train>[1] = batches): Promise<TrainEvent[]> {
  const events: TrainEvent[] = [];
  for await (const event of train(model, data, options)) events.push(event);
  return events;
}
const stepsIn = (events: TrainEvent[]) => events.filter((event): event is StepEvent => event.type === 'step');
const weights = () => [...uniqueState(model).values()].flatMap(({ data }) => [...data]);

describe('learning', () => {
  test('a model with attention learns to copy sequences that it never saw', async () => {
    const learner = Seq2Seq.create(presets['notes-additive']({ ...sizes, hiddenSize: 32 }));
    const data = (epoch: number) => copyBatches(40, 32, { ...task, seed: 1000 * epoch });
    const options = { steps: 320, optimizer: { learningRate: 8e-3 }, schedule: { name: 'cosine' } } as const;
    for await (const _ of train(learner, data, options));
    const unseen = sequences(200, { ...task, seed: 99_999 });
    const found = await translateBatch(learner, unseen);
    const exact = found.filter(([best], i) => best!.tokens.join() === unseen[i]!.join()).length;
    expect(exact / unseen.length).toBeGreaterThanOrEqual(0.99);
    const { accuracy, loss, perplexity, tokens } = await evaluateLoss(
      learner,
      copyBatches(2, 32, { ...task, seed: 7 }),
    );
    expect(accuracy).toBeGreaterThan(0.99);
    expect(perplexity).toBeCloseTo(Math.exp(loss), 10);
    expect(tokens).toBeGreaterThan(2 * 32 * 4);
  });

  test('one step of every optimizer moves the loss down', async () => {
    for (const optimizer of [
      { name: 'adam', learningRate: 0.01 },
      { name: 'adamw', learningRate: 0.01, weightDecay: 0.1 },
      { name: 'sgd', learningRate: 0.5, momentum: 0.9 },
    ] as const) {
      const [first, ...rest] = stepsIn(await eventsOf({ optimizer, epochs: 5 }));
      expect(rest.at(-1)!.loss).toBeLessThan(first!.loss - 0.1);
    }
  });

  test('nothing is left behind after 100 steps, validations, checkpoints and an average', async () => {
    const options: TrainOptions = {
      movingAverage: 0.99,
      scheduledSampling: { kind: 'constant', truth: 0.5 },
      validate: (at) => evaluateLoss(at, batches),
      validateEvery: 10,
      checkpoint: { store: memoryStore(), everySteps: 4 },
    };
    await eventsOf({ ...options, steps: 10 });
    const before = memory();
    await eventsOf({ ...options, steps: 100 });
    expect(memory().numTensors).toBe(before.numTensors);
    expect(memory().numBytes).toBe(before.numBytes);
  });
});

describe('what the loss is', () => {
  const pairs: [number[], number[]][] = [
    [
      [4, 5],
      [6, 7, 8],
    ],
    [[9], [10]],
  ];
  const value = (options: Parameters<Seq2Seq['loss']>[1]) => {
    const loss = model.loss(batchOf(pairs), options);
    const [number] = loss.dataSync();
    loss.dispose();
    return number!;
  };

  test('token means over real tokens, sentence over rows, sum over nothing', () => {
    const sum = value({ reduction: 'sum' });
    expect(value({})).toBeCloseTo(sum / 6, 5);
    expect(value({ reduction: 'sentence' })).toBeCloseTo(sum / 2, 5);
  });

  test('label smoothing mixes in the mean over the vocabulary', () => {
    const batch = batchOf(pairs);
    const output = model.logProbabilities(batch);
    const all = output.dataSync<'float32'>();
    output.dispose();
    let expected = 0;
    for (const [row, length] of [4, 2].entries()) {
      for (let t = 0; t < length; t++) {
        const scores = all.slice((row * 4 + t) * 12, (row * 4 + t + 1) * 12);
        const target = batch.target[row * 5 + t + 1]!;
        const mean = scores.reduce((sum: number, score: number) => sum + score, 0) / 12;
        expected += -0.8 * scores[target]! - 0.2 * mean;
      }
    }
    expect(value({ reduction: 'sum', labelSmoothing: 0.2 })).toBeCloseTo(expected, 4);
  });

  test('a batch without target tokens costs nothing', () => {
    const empty: Batch = { ...batchOf([[[4], []]]), targetLengths: Int32Array.of(1) };
    const loss = model.loss(empty);
    expect(loss.dataSync()[0]).toBe(0);
    loss.dispose();
  });
});

describe('a run', () => {
  test('tells steps, validations and the end; epochs are counted from 0', async () => {
    let asked = 0;
    const validate = () => ({ loss: 5 - asked++ });
    const events = await eventsOf({ epochs: 2, validate, validateEvery: 3 });
    expect(events.map(({ type, step, epoch }) => `${type} ${step} ${epoch}`)).toEqual([
      ...['step 1 0', 'step 2 0', 'step 3 0', 'validation 3 0', 'step 4 0'],
      ...['step 5 1', 'step 6 1', 'validation 6 1', 'step 7 1', 'step 8 1', 'done 8 2'],
    ]);
    expect(events.at(-1)).toMatchObject({ reason: 'epochs' });
    const [step] = stepsIn(events);
    expect(step!.tokens).toBe(batches[0]!.targetLengths.reduce((sum, length) => sum + length - 1, 0));
    expect(step!.loss).toBeCloseTo(Math.log(12), 0);
    expect(step!.gradientNorm).toBeGreaterThan(0);
  });

  test('the same seed gives the same run, another one another', async () => {
    const config = { ...sizes, encoder: { hiddenSize: 8, dropout: 0.5 } };
    const losses = async (seed: number) => {
      model = Seq2Seq.create(config);
      return stepsIn(await eventsOf({ steps: 4, seed })).map(({ loss }) => loss);
    };
    expect(await losses(1)).toEqual(await losses(1));
    expect(await losses(1)).not.toEqual(await losses(2));
  });

  test('stops early when nothing improves, and the best checkpoint stays', async () => {
    const values = [3, 2, 2.5, 2.1, 2.2, 1];
    const store = memoryStore();
    const events = await eventsOf({
      epochs: 9,
      validate: () => ({ loss: values.shift()! }),
      monitor: { patience: 3 },
      checkpoint: { store, keep: 1 },
    });
    expect(events.at(-1)).toMatchObject({ type: 'done', reason: 'patience', step: 20 });
    expect(events.flatMap((event) => (event.type === 'validation' ? event.best : []))).toEqual([
      true,
      true,
      false,
      false,
      false,
    ]);
    const names = (await store.list()).filter((name) => name.endsWith('.safetensors'));
    expect(names).toEqual(['training/step-00000008.safetensors', 'training/step-00000020.safetensors']);
  });

  test('aborting ends it after the step it is in, with a checkpoint', async () => {
    const controller = new AbortController();
    const store = memoryStore();
    const seen: TrainEvent[] = [];
    for await (const event of train(model, batches, { epochs: 9, signal: controller.signal, checkpoint: { store } })) {
      seen.push(event);
      if (event.step === 3) controller.abort();
    }
    expect(seen.slice(-2)).toMatchObject([
      { type: 'checkpoint', step: 3 },
      { type: 'done', reason: 'aborted', step: 3 },
    ]);
    expect((await latestCheckpoint(store))?.checkpoint.progress).toMatchObject({ step: 3, epoch: 0, batch: 3 });
  });

  test('lets timers have their turn while it goes on', async () => {
    let ticks = 0;
    const timer = setInterval(() => ticks++, 1);
    await eventsOf({ maxSeconds: 0.5 });
    clearInterval(timer);
    expect(ticks).toBeGreaterThan(8);
  });

  test('time limits end it', async () => {
    const began = performance.now();
    const events = await eventsOf({ maxSeconds: 0.2 });
    expect(events.at(-1)).toMatchObject({ reason: 'time' });
    expect(performance.now() - began).toBeLessThan(2000);
  });

  test('the learning rate follows its schedule, and a plateau cuts it', async () => {
    const warm = stepsIn(await eventsOf({ steps: 4, schedule: { name: 'linear', warmUpSteps: 2, finalShare: 0.5 } }));
    expect(warm.map(({ learningRate }) => learningRate)).toEqual([5e-4, 1e-3, 7.5e-4, 5e-4]);
    const flat = await eventsOf({
      epochs: 5,
      validate: () => ({ loss: 1 }),
      schedule: { name: 'plateau', patience: 1, factor: 0.5 },
    });
    const rates = stepsIn(flat).map(({ learningRate }) => learningRate);
    expect([rates[0], rates[11], rates[12], rates.at(-1)]).toEqual([1e-3, 1e-3, 5e-4, 5e-4]);
  });

  test('with a moving average, validation sees the averaged weights and training goes on with its own', async () => {
    const seen: number[][] = [];
    const own: number[][] = [];
    const validate = () => {
      seen.push(weights());
      return { loss: 1 };
    };
    const start = weights();
    for await (const event of train(model, batches, { steps: 2, validate, validateEvery: 1, movingAverage: 0.5 })) {
      if (event.type === 'validation') own.push(weights());
    }
    const mixed = start.map((value, i) => (2 / 11) * value + (1 - 2 / 11) * own[0]![i]!);
    for (const [i, value] of seen[0]!.entries()) expect(value).toBeCloseTo(mixed[i]!, 5);
    expect(seen[1]).not.toEqual(own[1]);
  });

  test('clipping bounds what a step can do', async () => {
    const start = weights();
    await eventsOf({ steps: 1, clipNorm: 1e-3, optimizer: { name: 'sgd', learningRate: 1 } });
    const moved = Math.sqrt(weights().reduce((sum, value, i) => sum + (value - start[i]!) ** 2, 0));
    expect(moved).toBeCloseTo(1e-3, 5);
  });
});

describe('what goes wrong', () => {
  test('an exploding loss stops it with the batch, the norm and what to try, and the weights before it', async () => {
    const indexed = batches.map((batch) => ({
      ...batch,
      indices: Int32Array.from({ length: batch.rows }, (_, i) => 40 + i),
    }));
    let last: number[] = [];
    const run = async () => {
      const options = { epochs: 30, clipNorm: null, optimizer: { name: 'sgd', learningRate: 1e4 } } as const;
      for await (const event of train(model, indexed, options)) if (event.type === 'step') last = weights();
    };
    const error = await run().catch((caught: unknown) => caught);
    expect(error).toBeInstanceOf(TrainingDiverged);
    expect((error as Error).message).toMatch(
      /^train: step \d+ has loss \S+ and gradient norm \S+ on rows 40, 41, .*; the weights are those of step \d+\. Try a lower learning rate/,
    );
    expect(weights()).toEqual(last);
  });

  test('an error in the middle of a step leaves nothing behind', async () => {
    const before = memory().numTensors;
    const bad = { ...batches[1]!, target: batches[1]!.target.slice().fill(99, 1, 2) };
    await expect(eventsOf({}, [batches[0]!, bad])).rejects.toThrow(
      'batch: target ids must be in [0, 12); got 99 in row 0',
    );
    expect(memory().numTensors).toBe(before);
  });

  test('leaving the loop frees everything', async () => {
    const before = memory().numTensors;
    for await (const _ of train(model, batches, { movingAverage: 0.9 })) break;
    expect(memory().numTensors).toBe(before);
  });

  test.each<[TrainOptions & Record<string, unknown>, string]>([
    [{ epoch: 3 }, 'train options: unknown name "epoch"; did you mean "epochs"?'],
    [{ optimizer: { lr: 3 } as never }, 'train options: unknown name "optimizer.lr"'],
    [{ optimizer: { name: 'sgd', betas: [0.9, 0.9] } }, 'optimizer.betas does not belong to optimizer sgd'],
    [{ schedule: { name: 'cosine' } }, 'train options: schedule cosine needs totalSteps; got nothing'],
    [
      { schedule: { decayRate: 0.5 } },
      'train options: schedule.decayRate does not belong to schedule constant; got 0.5',
    ],
    [{ validate: () => ({ bleu: 1 }) }, 'train: monitor.metric "loss" is not among the measures bleu'],
    [{ accumulate: 0 }, 'train options: accumulate must be at least 1; got 0'],
  ])('%j is refused in one sentence', async (options, message) => {
    const before = memory().numTensors;
    await expect(eventsOf(options)).rejects.toThrow(message);
    expect(memory().numTensors).toBe(before);
  });

  test('no batches at all is an error', async () => {
    await expect(eventsOf({}, [])).rejects.toThrow('train: epoch 0 has no batches');
  });
});
