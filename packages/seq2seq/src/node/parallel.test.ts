import { beforeAll, expect, test } from 'vitest';
import {
  type Batch,
  latestCheckpoint,
  memoryStore,
  Seq2Seq,
  type StepEvent,
  TrainingDiverged,
  type TrainOptions,
  train,
  useBackend,
} from '../index.js';
import { batchOf, copyBatches } from '../testing/copy-task.js';
import { startParallel } from './parallel.js';

beforeAll(async () => {
  await useBackend();
});

const batches = copyBatches(3, 9, { symbols: 8, shortest: 1, longest: 6, seed: 5 });

async function run(
  options: TrainOptions,
  data: Batch[] = batches,
): Promise<{ losses: number[]; norms: number[]; weights: Float32Array }> {
  const model = Seq2Seq.create({
    encoder: { hiddenSize: 10, bidirectional: true, numLayers: 2, dropout: 0.2 },
    decoder: { kind: 'luong', attention: 'additive', inputFeeding: true, dropout: 0.3, numLayers: 2 },
    sourceVocabulary: 12,
    targetVocabulary: 12,
    seed: 2,
  });
  const steps: StepEvent[] = [];
  for await (const event of train(model, data, options)) if (event.type === 'step') steps.push(event);
  const weights = Float32Array.from(model.parameters().flatMap((parameter) => [...parameter.dataSync()]));
  model.dispose();
  return { losses: steps.map(({ loss }) => loss), norms: steps.map(({ gradientNorm }) => gradientNorm), weights };
}

test('two and three workers give what one gives, dropout included, and the same again', async () => {
  const one = await run({ steps: 3 });
  const two = await run({ steps: 3, workers: 2 });
  const three = await run({ steps: 3, workers: 3 });
  for (const many of [two, three]) {
    for (const [i, loss] of many.losses.entries()) expect(Math.abs(loss - one.losses[i]!)).toBeLessThan(1e-6);
  }
  expect(await run({ steps: 3, workers: 2 })).toEqual(two);
});

test('the norm is of all gradients, whoever owns them, and all are clipped by it', async () => {
  const [one, two] = await Promise.all([1, 2].map((workers) => run({ steps: 3, workers, clipNorm: 0.05 })));
  for (const [i, norm] of two!.norms.entries()) expect(norm).toBeCloseTo(one!.norms[i]!, 5);
  expect(Math.min(...one!.norms)).toBeGreaterThan(0.05);
  for (const [i, loss] of two!.losses.entries()) expect(Math.abs(loss - one!.losses[i]!)).toBeLessThan(1e-6);
});

test('a run of two workers resumes bit for bit, and one worker goes on from its checkpoint', async () => {
  const whole = await run({ steps: 4, workers: 2, clipNorm: 0.5 });
  const store = memoryStore();
  await run({ steps: 2, workers: 2, clipNorm: 0.5, checkpoint: { store } });
  const { checkpoint } = (await latestCheckpoint(store))!;
  const rest = await run({ steps: 4, workers: 2, clipNorm: 0.5, resume: checkpoint });
  expect(rest.losses).toEqual(whole.losses.slice(2));
  expect(rest.weights).toEqual(whole.weights);
  const alone = await run({ steps: 4, clipNorm: 0.5, resume: checkpoint });
  for (const [i, loss] of alone.losses.entries()) expect(Math.abs(loss - rest.losses[i]!)).toBeLessThan(1e-6);
});

test('batches accumulated and shared out give what one large batch gives', async () => {
  const rows = (batch: Batch): [number[], number[]][] =>
    Array.from({ length: batch.rows }, (_, row) => {
      const source = [...batch.source.subarray(row * batch.sourceWidth)].slice(0, batch.sourceLengths[row]);
      return [source, source];
    });
  const whole = batchOf(batches.flatMap(rows));
  const { losses } = await run({ steps: 1 }, [whole]);
  const { losses: parts } = await run({ steps: 1, accumulate: 3, workers: 2 });
  expect(parts[0]).toBeCloseTo(losses[0]!, 6);
});

test('a run of two workers that diverges ends with the weights of the step before', async () => {
  const model = Seq2Seq.create({ sourceVocabulary: 12, targetVocabulary: 12, encoder: { hiddenSize: 4 } });
  const values = () => model.parameters().map((parameter) => parameter.dataSync().slice());
  let before = values();
  const run = async () => {
    const options = { workers: 2, clipNorm: null, optimizer: { name: 'sgd', learningRate: 1e12 } } as const;
    for await (const _ of train(model, batches, { ...options, epochs: 9 })) before = values();
  };
  await expect(run()).rejects.toThrow(TrainingDiverged);
  expect(values()).toEqual(before);
  model.dispose();
});

test('a batch that does not fit is refused as without workers', async () => {
  const bad = { ...batches[0]!, source: batches[0]!.source.slice() };
  bad.source[(bad.rows - 1) * bad.sourceWidth] = 99;
  await expect(run({ steps: 1, workers: 2 }, [bad])).rejects.toThrow(
    'batch: source ids must be in [0, 12); got 99 in row 8',
  );
});

test('a worker that stops ends the run with its message', async () => {
  const model = Seq2Seq.create({ sourceVocabulary: 12, targetVocabulary: 12, encoder: { hiddenSize: 4 } });
  const stepper = await startParallel(model, 2, { name: 'adam', learningRate: 1e-3 });
  const plan = { step: 1, seed: 1, labelSmoothing: 2, coverage: 0, reduction: 'token', truth: 1 } as const;
  const update = { learningRate: 1e-3, clipNorm: null };
  const single = batchOf([[[4], [5]]]); // its one row goes to the worker
  await expect(stepper.step([single], plan, update, () => {})).rejects.toThrow(
    /^train: worker 2 stopped: linearCrossEntropy: labelSmoothing must be in \[0, 1\); got 2$/,
  );
  await stepper.dispose();
});

test('a batch of fewer rows than workers is trained on', async () => {
  const single = [
    batchOf([
      [
        [4, 5],
        [4, 5],
      ],
    ]),
  ];
  expect((await run({ steps: 1, workers: 3 }, single)).losses).toEqual((await run({ steps: 1 }, single)).losses);
});
