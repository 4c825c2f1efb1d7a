// The training loop.
import { clipByGlobalNorm, globalNorm, type Optimizer } from '@seqloom/tensor-ops';
import { dispose } from '@tensorflow/tfjs-core';
import type { z } from 'zod';
import type { Batch } from '../batch.js';
import { ConfigError, parse } from '../config/parse.js';
import { nextTurn } from '../event-loop.js';
import type { Seq2Seq } from '../model.js';
import { type BatchSource, batchGroups } from './batch-source.js';
import { TrainingDiverged } from './diverged.js';
import type { Metrics, TrainEnd, TrainEvent } from './events.js';
import { type GradientSource, LocalGradients } from './gradient-source.js';
import { MovingAverage } from './moving-average.js';
import { createOptimizer } from './optimizer.js';
import { type TrainSettings, trainOptionsSchema } from './options.js';
import { freshProgress, noteValidation, type Progress } from './progress.js';
import { scheduleFactor } from './schedule.js';
import { truthShare } from './scheduled-sampling.js';

/** What `validate` is told besides the model. */
export interface ValidationContext {
  readonly step: number;
  readonly epoch: number;
}

export interface TrainOptions extends z.input<typeof trainOptionsSchema> {
  /** Measures the model; called as `validateEvery` says. With a moving average the model has the averaged weights then. */
  validate?: (model: Seq2Seq, at: ValidationContext) => Metrics | Promise<Metrics>;
  /** Aborting ends the run after the step it is in, with a checkpoint where there is a store. */
  signal?: AbortSignal;
}

/**
 * Trains a model in place and tells about it: iterate it to make it go on. Between steps the event loop has its turn.
 *
 * @param batches see `BatchSource`
 * @returns events of type `step`, `validation`, `checkpoint`, and one `done` at the end
 * @throws ConfigError on an option that breaks a rule; TrainingDiverged when loss or gradient explode; Error on batches that do not fit
 * @example
 * for await (const event of train(model, batches, { epochs: 10 })) show(event);
 */
export async function* train(
  model: Seq2Seq,
  batches: BatchSource,
  { validate, signal, ...options }: TrainOptions = {},
): AsyncGenerator<TrainEvent, void> {
  const settings = parse(trainOptionsSchema, options, 'train options');
  const run = new TrainingRun(model, settings, validate, signal);
  try {
    yield* run.events(batches);
  } finally {
    await run.dispose();
  }
}

class TrainingRun {
  private readonly progress: Progress = freshProgress();
  private readonly started = performance.now();
  private lastStep = this.started;
  private readonly optimizer: Optimizer;
  private readonly average: MovingAverage | null;
  private readonly source: GradientSource;

  constructor(
    private readonly model: Seq2Seq,
    private readonly settings: TrainSettings,
    private readonly validate: TrainOptions['validate'],
    private readonly signal: AbortSignal | undefined,
  ) {
    this.optimizer = createOptimizer(model.parameters(), settings.optimizer);
    const { movingAverage } = settings;
    this.average = movingAverage === null ? null : new MovingAverage(model.uniqueParameters(), movingAverage);
    this.source = new LocalGradients(model);
  }

  async *events(batches: BatchSource): AsyncGenerator<TrainEvent, void> {
    const { progress } = this;
    let end = this.ending();
    while (!end) {
      const before = progress.step;
      for await (const group of batchGroups(batches, progress.epoch, this.settings.accumulate, progress.batch)) {
        yield await this.step(group);
        if (this.duringEpoch()) yield* this.validation();
        await nextTurn();
        end = this.ending();
        if (end) break;
      }
      if (end) break;
      if (progress.step === before && progress.batch === 0) {
        throw new ConfigError(`train: epoch ${progress.epoch} has no batches`);
      }
      progress.epoch++;
      progress.batch = 0;
      if (this.settings.validateEvery === 'epoch') yield* this.validation();
      end = this.ending();
    }
    const { step, epoch } = progress;
    yield { type: 'done', step, epoch, reason: end, seconds: (performance.now() - this.started) / 1000 };
  }

  async dispose(): Promise<void> {
    this.optimizer.dispose();
    this.average?.dispose();
    await this.source.dispose();
  }

  private async step(group: Batch[]): Promise<TrainEvent> {
    const { progress, settings } = this;
    const step = progress.step + 1;
    const { scheduledSampling, seed, labelSmoothing, reduction } = settings;
    const truth = scheduledSampling ? truthShare(scheduledSampling, step) : 1;
    const { loss, tokens, gradients } = await this.source.compute(group, {
      step,
      seed,
      labelSmoothing,
      reduction,
      truth,
    });
    const learningRate = settings.optimizer.learningRate * scheduleFactor(settings.schedule, step);
    let gradientNorm: number;
    try {
      gradientNorm =
        settings.clipNorm === null ? globalNorm(gradients) : clipByGlobalNorm(gradients, settings.clipNorm);
      this.refuseDivergence(step, loss, gradientNorm, group);
      this.optimizer.step(gradients, learningRate);
    } finally {
      dispose(gradients);
    }
    this.average?.update(step);
    progress.step = step;
    progress.batch += group.length;
    const seconds = (performance.now() - this.lastStep) / 1000;
    this.lastStep = performance.now();
    const { epoch } = progress;
    return { type: 'step', step, epoch, loss, tokens, tokensPerSecond: tokens / seconds, learningRate, gradientNorm };
  }

  /** Blind guessing costs ln V a token: a loss of ten times that is no longer learning. */
  private refuseDivergence(step: number, loss: number, gradientNorm: number, group: Batch[]): void {
    const tokensEach = this.settings.reduction === 'token' ? 1 : longestTarget(group);
    const limit = 10 * Math.log(this.model.config.targetVocabulary) * tokensEach;
    if (Number.isFinite(gradientNorm) && loss <= limit) return;
    const indices = group.flatMap((batch) => [...(batch.indices ?? [])]);
    throw new TrainingDiverged(step, loss, gradientNorm, indices);
  }

  private duringEpoch(): boolean {
    const { validateEvery } = this.settings;
    return validateEvery !== 'epoch' && this.progress.step % validateEvery === 0;
  }

  private async *validation(): AsyncGenerator<TrainEvent, void> {
    if (!this.validate) return;
    const { step, epoch } = this.progress;
    const measure = async () => this.validate!(this.model, { step, epoch });
    const metrics = await (this.average ? this.average.applied(measure) : measure());
    const best = noteValidation(this.progress, metrics, this.settings.monitor);
    yield { type: 'validation', step, epoch, metrics, best };
    this.lastStep = performance.now();
  }

  /** Whether and why the run is over. */
  private ending(): TrainEnd | null {
    const { steps, epochs, maxSeconds, monitor } = this.settings;
    const { step, epoch, sinceBest } = this.progress;
    if (this.signal?.aborted) return 'aborted';
    if (steps !== undefined && step >= steps) return 'steps';
    const lastEpoch = epochs ?? (steps === undefined && maxSeconds === undefined ? 1 : Infinity);
    if (epoch >= lastEpoch) return 'epochs';
    if (maxSeconds !== undefined && performance.now() - this.started >= maxSeconds * 1000) return 'time';
    if (monitor.patience !== null && sinceBest >= monitor.patience) return 'patience';
    return null;
  }
}

function longestTarget(group: Batch[]): number {
  return Math.max(1, ...group.flatMap((batch) => [...batch.targetLengths]));
}
