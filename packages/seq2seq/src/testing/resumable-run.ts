// A program for the tests of resuming: trains a tiny model in a folder, from its newest checkpoint where there is one.
// Usage: resumable-run.ts FOLDER STEPS
import { pathToFileURL } from 'node:url';
import { latestCheckpoint, Seq2Seq, type TrainOptions, train, useBackend } from '../index.js';
import { folder } from '../node/index.js';
import { copyBatches } from './copy-task.js';

/** Everything that a run may carry from step to step is in use: moments, average, schedule, plateau-free, dropout, sampling. */
export const options: TrainOptions = {
  optimizer: { name: 'adamw', learningRate: 5e-3 },
  schedule: { name: 'cosine', warmUpSteps: 4, totalSteps: 24 },
  movingAverage: 0.9,
  scheduledSampling: { kind: 'linear', truth: 0.5, steps: 20 },
  labelSmoothing: 0.1,
  accumulate: 2,
};

/** Trains to `steps` and gives the model; the last checkpoint lies in the folder. */
export async function resumableRun(path: string, steps: number, onStep = (_step: number) => {}): Promise<void> {
  await useBackend();
  const model = Seq2Seq.create({
    encoder: { hiddenSize: 8, dropout: 0.2 },
    decoder: { kind: 'bahdanau', dropout: 0.2, tieEmbeddings: true },
    sourceVocabulary: 12,
    targetVocabulary: 12,
    seed: 2,
  });
  const store = folder(path);
  const found = await latestCheckpoint(store);
  if (found?.damaged.length) throw new Error(`damaged: ${JSON.stringify(found.damaged)}`);
  const batches = (epoch: number) => copyBatches(10, 4, { symbols: 8, shortest: 2, longest: 5, seed: 100 * epoch });
  const run = train(model, batches, {
    ...options,
    steps,
    checkpoint: { store, everySteps: 1, keep: 2 },
    ...(found && { resume: found.checkpoint }),
  });
  for await (const event of run) if (event.type === 'step') onStep(event.step);
  model.dispose();
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const [, , path, steps] = process.argv;
  await resumableRun(path!, Number(steps), (step) => process.stdout.write(`step ${step}\n`));
}
