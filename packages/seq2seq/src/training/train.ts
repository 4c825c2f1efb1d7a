// The training loop.
import { ExponentialMovingAverage } from '@seqloom/tensor-ops';
import type { z } from 'zod';
import type { Batch } from '../batch.js';
import { loadUniqueState, uniqueState } from '../checkpoint/model-folder.js';
import type { Store } from '../checkpoint/store.js';
import { type TrainingCheckpoint, writeCheckpoint } from '../checkpoint/training-checkpoint.js';
import { ConfigError, parse } from '../config/parse.js';
import { breathe } from '../event-loop.js';
import type { Seq2Seq } from '../model.js';
import { type BatchSource, batchGroups } from './batch-source.js';
import { refuseDivergence } from './diverged.js';
import type { Metrics, TrainEnd, TrainEvent } from './events.js';
import { type TrainSettings, trainOptionsSchema } from './options.js';
import { freshProgress, noteValidation, type Progress } from './progress.js';
import { refuseOtherModel } from './refuse-other-model.js';
import { type LearningRate, learningRate } from './schedule.js';
import { truthShare } from './scheduled-sampling.js';
import { LocalStepper, type Stepper } from './stepper.js';

/** What `validate` is told besides the model. */
export interface ValidationContext {
  readonly step: number;
  readonly epoch: number;
}

/** Where and how often a run is saved; a validation and the end of an epoch and of the run save too. */
export interface CheckpointOptions {
  store: Store;
  everySteps?: number;
  everySeconds?: number;
  /** How many of the newest are kept, besides the best; default 3. */
  keep?: number;
  /** Plain JSON that is kept beside the run's own state. */
  extra?: () => unknown;
}

export interface TrainOptions extends z.input<typeof trainOptionsSchema> {
  /** Measures the model; called as `validateEvery` says. With a moving average the model has the averaged weights then. */
  validate?: (model: Seq2Seq, at: ValidationContext) => Metrics | Promise<Metrics>;
  checkpoint?: CheckpointOptions;
  /** Goes on from here, bit for bit, given the same batches and options; see `latestCheckpoint`. */
  resume?: TrainingCheckpoint;
  /** Aborting ends the run after the step it is in, with a checkpoint where there is a store. */
  signal?: AbortSignal;
}

/**
 * Trains a model in place and tells about it: iterate it to make it go on. Between steps the event loop has its turn. With several
 * workers the weights must not be changed from outside before the run ends.
 *
 * @param batches see `BatchSource`
 * @returns events of type `step`, `validation`, `checkpoint`, and one `done` at the end
 * @throws ConfigError on an option that breaks a rule; TrainingDiverged when loss or gradient explode; Error on batches that do
 * not fit, on a checkpoint of another model, and when a checkpoint cannot be written
 * @example
 * const model = Seq2Seq.create({ encoder: { hiddenSize: 8 }, decoder: { attention: 'dot' }, sourceVocabulary: 9, targetVocabulary: 9 });
 * const batch = {
 *   rows: 1, source: Int32Array.of(4, 5), sourceWidth: 2, sourceLengths: Int32Array.of(2),
 *   target: Int32Array.of(2, 6, 3), targetWidth: 3, targetLengths: Int32Array.of(3),
 * };
 * for await (const { type, step } of train(model, [batch], { epochs: 2 })) console.log(type, step);
 * // → step 1
 * // → step 2
 * // → done 2
 */
export async function* train(
  model: Seq2Seq,
  batches: BatchSource,
  { validate, checkpoint, resume, signal, ...options }: TrainOptions = {},
): AsyncGenerator<TrainEvent, void> {
  const settings = parse(trainOptionsSchema, options, 'train options');
  const rate = learningRate(settings);
  model.takeBackLayout();
  const { workers, optimizer } = settings;
  const stepper = workers === 1 ? new LocalStepper(model, optimizer) : await parallel(model, workers, optimizer);
  const run = new TrainingRun(model, settings, rate, stepper, { validate, checkpoint, signal });
  try {
    if (resume) await run.resume(resume);
    yield* run.events(batches);
  } finally {
    await run.dispose();
  }
}

async function parallel(model: Seq2Seq, workers: number, optimizer: TrainSettings['optimizer']): Promise<Stepper> {
  const { startParallel } = await import('#parallel'); // Node's threads, or a refusal elsewhere: package.json's "imports"
  return startParallel(model, workers, optimizer);
}

interface Callbacks {
  validate: TrainOptions['validate'];
  checkpoint: CheckpointOptions | undefined;
  signal: AbortSignal | undefined;
}

class TrainingRun {
  private progress: Progress = freshProgress();
  private readonly started = performance.now();
  private lastStep = this.started;
  private lastSaved = { step: -1, time: this.started };
  private readonly average: ExponentialMovingAverage | null;

  constructor(
    private readonly model: Seq2Seq,
    private readonly settings: TrainSettings,
    private readonly rate: LearningRate,
    private readonly stepper: Stepper,
    private readonly callbacks: Callbacks,
  ) {
    const { movingAverage: decay } = settings;
    this.average = decay === null ? null : new ExponentialMovingAverage(model.parameters(), { decay });
  }

  async resume({ progress, modelConfig, weights, optimizer, average, plateau }: TrainingCheckpoint): Promise<void> {
    refuseOtherModel(this.model.config, modelConfig);
    if ((average === null) !== (this.average === null)) {
      throw new ConfigError(
        `train: movingAverage must be as in the checkpoint, which has ${average ? 'one' : 'none'}; got ${this.settings.movingAverage}`,
      );
    }
    loadUniqueState(this.model, weights);
    await this.stepper.resume(optimizer);
    if (average) this.average?.loadStateDict(average);
    if (plateau) this.rate.plateau?.loadStateDict(plateau);
    this.progress = { ...progress };
    this.lastSaved.step = progress.step;
  }

  async *events(batches: BatchSource): AsyncGenerator<TrainEvent, void> {
    let end = this.ending();
    while (!end) {
      const { step: before, batch: skipped, epoch } = this.progress;
      for await (const group of batchGroups(batches, epoch, this.settings.accumulate, skipped)) {
        yield await this.step(group);
        yield* this.afterStep();
        end = this.ending();
        if (end) break;
        await breathe();
      }
      if (end) break;
      if (this.progress.step === before && skipped === 0) throw new ConfigError(`train: epoch ${epoch} has no batches`);
      this.progress.epoch++;
      this.progress.batch = 0;
      yield* this.afterEpoch();
      end = this.ending();
    }
    yield* this.saved(false);
    const { step, epoch } = this.progress;
    yield { type: 'done', step, epoch, reason: end, seconds: (performance.now() - this.started) / 1000 };
  }

  async dispose(): Promise<void> {
    this.average?.dispose();
    await this.stepper.dispose();
  }

  private async step(group: Batch[]): Promise<TrainEvent> {
    const { progress, settings } = this;
    const step = progress.step + 1;
    const { scheduledSampling, seed, labelSmoothing, coverageLoss: coverage, reduction, clipNorm } = settings;
    const truth = scheduledSampling ? truthShare(scheduledSampling, step) : 1;
    const plan = { step, seed, labelSmoothing, coverage, reduction, truth };
    const learningRate = this.rate.at(step);
    const { config } = this.model;
    const check = (loss: number, gradientNorm: number) =>
      refuseDivergence({ step, loss, gradientNorm, group, reduction, config });
    const { loss, tokens, gradientNorm } = await this.stepper.step(group, plan, { learningRate, clipNorm }, check);
    this.average?.update();
    progress.step = step;
    progress.batch += group.length;
    const seconds = (performance.now() - this.lastStep) / 1000;
    this.lastStep = performance.now();
    return {
      type: 'step',
      step,
      epoch: progress.epoch,
      loss,
      tokens,
      tokensPerSecond: tokens / seconds,
      learningRate,
      gradientNorm,
    };
  }

  private async *afterStep(): AsyncGenerator<TrainEvent, void> {
    const { validateEvery } = this.settings;
    const { everySteps = Infinity, everySeconds = Infinity } = this.callbacks.checkpoint ?? {};
    const { step } = this.progress;
    const sinceSaved = (performance.now() - this.lastSaved.time) / 1000;
    const due = validateEvery !== 'epoch' && step % validateEvery === 0;
    if (due && this.callbacks.validate) yield* this.validation();
    else if (step % everySteps === 0 || sinceSaved >= everySeconds) yield* this.saved(false);
  }

  private async *afterEpoch(): AsyncGenerator<TrainEvent, void> {
    if (this.settings.validateEvery === 'epoch' && this.callbacks.validate) yield* this.validation();
    else yield* this.saved(false);
  }

  private async *validation(): AsyncGenerator<TrainEvent, void> {
    const { validate } = this.callbacks;
    if (!validate) return;
    const { step, epoch } = this.progress;
    const { metric } = this.settings.monitor;
    this.average?.swapIn();
    let metrics: Metrics;
    try {
      metrics = await validate(this.model, { step, epoch });
    } finally {
      this.average?.swapOut();
    }
    const best = noteValidation(this.progress, metrics, this.settings.monitor);
    this.rate.observe(metrics[metric]!);
    yield { type: 'validation', step, epoch, metrics, best };
    yield* this.saved(best);
    this.lastStep = performance.now();
  }

  private async *saved(best: boolean): AsyncGenerator<TrainEvent, void> {
    const { checkpoint } = this.callbacks;
    const { step, epoch } = this.progress;
    if (!checkpoint || (this.lastSaved.step === step && !best)) return;
    const { store, keep = 3, extra } = checkpoint;
    const name = await writeCheckpoint(store, await this.state(extra?.()), { best, keep });
    this.lastSaved = { step, time: performance.now() };
    this.lastStep = performance.now();
    yield { type: 'checkpoint', step, epoch, name, best };
  }

  private async state(extra: unknown): Promise<TrainingCheckpoint> {
    return {
      progress: { ...this.progress },
      modelConfig: this.model.config,
      weights: uniqueState(this.model),
      optimizer: await this.stepper.optimizerState(),
      average: this.average?.stateDict() ?? null,
      plateau: this.rate.plateau?.stateDict() ?? null,
      extra,
    };
  }

  /** Whether and why the run is over. */
  private ending(): TrainEnd | null {
    const { steps, epochs, maxSeconds, monitor } = this.settings;
    const { step, epoch, sinceBest } = this.progress;
    if (this.callbacks.signal?.aborted) return 'aborted';
    if (steps !== undefined && step >= steps) return 'steps';
    const lastEpoch = epochs ?? (steps === undefined && maxSeconds === undefined ? 1 : Infinity);
    if (epoch >= lastEpoch) return 'epochs';
    if (maxSeconds !== undefined && performance.now() - this.started >= maxSeconds * 1000) return 'time';
    if (monitor.patience !== null && sinceBest >= monitor.patience) return 'patience';
    return null;
  }
}
