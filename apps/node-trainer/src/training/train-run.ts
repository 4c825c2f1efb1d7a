import path from 'node:path';
import {
  type CheckpointEvent,
  type StepEvent,
  type TrainEnd,
  type TrainOptions,
  train,
  uniqueState,
  type ValidationEvent,
} from '@seqloom/seq2seq';
import { folder } from '@seqloom/seq2seq/node';
import { configToYaml } from '../config/load-config.js';
import { Pace } from '../progress/pace.js';
import type { ProgressView } from '../progress/view.js';
import type { ValidationRecord } from '../report/run-report.js';
import { openModelFolder, saveModelFolder } from '../run/model-folder.js';
import { RunLog } from '../run/run-log.js';
import { partMetrics, type RunMetrics, writeRunMetrics } from '../run/run-metrics.js';
import { writeFileAtomic } from '../run/write-file.js';
import { lowerIsBetter } from '../scores.js';
import { EventFile } from '../tensorboard/event-file.js';
import { type Measured, type MeasureOptions, measure, scoreSettings } from './measure.js';
import type { PreparedRun } from './prepare-run.js';
import { type RunTotals, resumedTotals } from './resume-run.js';

export interface RunResult {
  readonly metrics: RunMetrics;
  readonly reason: TrainEnd;
}

/**
 * Trains, validates, keeps the best model in the run's folder, and measures it at the end. The folder then holds the model,
 * recipe.yaml, metrics.json and training/ (log, TensorBoard events, checkpoints).
 */
export async function trainRun(run: PreparedRun, view: ProgressView, signal: AbortSignal): Promise<RunResult> {
  const training = new Training(run, view);
  await training.begin();
  const reason = await training.run(signal).catch((error: unknown) => {
    training.keepLog();
    throw error;
  });
  const metrics = await training.finish(signal);
  return { metrics, reason };
}

class Training {
  private readonly log: RunLog;
  private readonly pace: Pace;
  private readonly stepsPerEpoch: number;
  private readonly startedAt = performance.now();
  private readonly earlier: RunTotals;
  private readonly totals: RunTotals;
  private board: EventFile | undefined;
  /** What the latest validation measured, and the weights it measured (averaged ones, where there is an average). */
  private latest: { readonly measured: Measured; readonly weights: ReturnType<typeof uniqueState> } | undefined;
  private hasModel: boolean;

  constructor(
    private readonly prepared: PreparedRun,
    private readonly view: ProgressView,
  ) {
    const { config, plans, resume } = prepared;
    const { steps, epochs, maxMinutes, accumulate } = config.training;
    const seconds = maxMinutes === undefined ? undefined : maxMinutes * 60;
    this.log = new RunLog(config.out);
    this.stepsPerEpoch = Math.ceil(plans.of(0).count(0) / accumulate);
    this.pace = new Pace({ steps, epochs, seconds }, this.stepsPerEpoch, performance.now());
    this.earlier = resumedTotals(resume);
    this.totals = { ...this.earlier };
    this.hasModel = resume?.progress.best !== undefined && resume.progress.best !== null;
  }

  async begin(): Promise<void> {
    const { config, codec, start, resume } = this.prepared;
    if (resume) await this.log.rewind(resume.progress.step);
    await writeFileAtomic(path.join(config.out, 'recipe.yaml'), configToYaml({ ...config, out: null }));
    await codec.save(folder(config.out));
    this.board = new EventFile(path.join(config.out, 'training'), { ...(resume && { resumed: resume.progress.step }) });
    this.log.add({ type: 'start', ...start });
    this.log.flush();
  }

  /** Trains to the end, or until the signal stops it. */
  async run(signal: AbortSignal): Promise<TrainEnd> {
    const { model, plans } = this.prepared;
    for await (const event of train(model, (epoch) => plans.of(epoch).epoch(epoch), this.options(signal))) {
      if (event.type === 'step') this.noteStep(event);
      else if (event.type === 'validation') await this.noteValidation(event);
      else if (event.type === 'checkpoint') this.noteCheckpoint(event);
      else {
        this.log.add({ type: 'done', step: event.step, reason: event.reason, seconds: event.seconds });
        this.log.flush();
        if (!this.hasModel) await this.saveModel();
        return event.reason;
      }
    }
    throw new Error('train: the run ended without saying so');
  }

  /** After an error: writes what the log still holds, where that can be written. */
  keepLog(): void {
    try {
      this.log.flush();
    } catch {
      // The error that is under way says more.
    }
  }

  /** Scores of the model that was kept, on the parts that are there. */
  async finish(signal: AbortSignal): Promise<RunMetrics> {
    const { config, valid, test } = this.prepared;
    const { model, codec } = await openModelFolder(config.out);
    const measured = async (part: typeof valid) =>
      partMetrics(
        await measure(model, codec, part, { ...this.measureOptions(), limit: Number.POSITIVE_INFINITY, samples: 0 }),
      );
    const seconds = this.seconds();
    const metrics: RunMetrics = {
      ...(test.ids.length > 0 && !signal.aborted && { test: await measured(test) }),
      ...(valid.ids.length > 0 && !signal.aborted && { valid: await measured(valid) }),
      seconds,
      tokensPerSecond: this.totals.tokens / Math.max(1e-9, this.totals.stepSeconds),
    };
    model.dispose();
    await writeRunMetrics(config.out, metrics);
    return metrics;
  }

  private options(signal: AbortSignal): TrainOptions {
    const { config, start, valid, codec, resume } = this.prepared;
    const { batch: _, workers: __, maxMinutes, ...training } = config.training;
    const { schedule, epochs, steps } = training;
    const falls = schedule.name === 'linear' || schedule.name === 'cosine';
    const totalSteps = schedule.totalSteps ?? steps ?? (epochs === undefined ? undefined : epochs * this.stepsPerEpoch);
    const { every, best, patience } = config.validation;
    return {
      ...training,
      schedule: { ...schedule, ...(falls && totalSteps !== undefined && { totalSteps }) },
      ...(maxMinutes !== undefined && { maxSeconds: Math.max(1, maxMinutes * 60 - this.earlier.seconds) }),
      workers: start.workers,
      validateEvery: every,
      monitor: { metric: best, goal: lowerIsBetter.has(best) ? 'min' : 'max', patience },
      seed: config.seed,
      signal,
      ...(valid.ids.length > 0 && { validate: (model) => this.validate(model) }),
      checkpoint: {
        store: folder(config.out),
        everySeconds: config.checkpoint.everyMinutes * 60,
        keep: config.checkpoint.keep,
        extra: () => {
          this.log.flush();
          return { text: codec.settings(), totals: { ...this.totals, seconds: this.seconds() } };
        },
      },
      ...(resume && { resume }),
    };
  }

  private async validate(model: PreparedRun['model']): Promise<Record<string, number>> {
    const { codec, valid } = this.prepared;
    const measured = await measure(model, codec, valid, this.measureOptions());
    this.latest = { measured, weights: uniqueState(model) };
    const scores = Object.entries(measured.scores).map(([name, { score }]) => [name, score]);
    return { loss: measured.loss, accuracy: measured.accuracy, ...Object.fromEntries(scores) };
  }

  private noteStep({ type: _, tokens, ...step }: StepEvent): void {
    this.totals.tokens += tokens;
    this.totals.stepSeconds += tokens / step.tokensPerSecond;
    this.log.add({ type: 'step', ...step });
    this.board?.scalars(step.step, {
      'train/loss': step.loss,
      'train/learning rate': step.learningRate,
      'train/gradient norm': step.gradientNorm,
      'train/tokens per second': step.tokensPerSecond,
    });
    this.view.step({
      step: step.step,
      epoch: step.epoch + 1,
      loss: this.pace.smooth(step.loss),
      tokensPerSecond: this.totals.tokens / this.totals.stepSeconds,
      learningRate: step.learningRate,
      ...this.pace.at(step.step, performance.now()),
    });
  }

  private async noteValidation({ step, epoch, metrics, best }: ValidationEvent): Promise<void> {
    const { loss, accuracy, scores, samples } = this.latest!.measured;
    const record: ValidationRecord = { step, epoch, loss, accuracy, scores, samples };
    this.log.add({ type: 'validation', ...record });
    this.log.flush();
    this.board?.scalars(
      step,
      Object.fromEntries(Object.entries(metrics).map(([name, value]) => [`valid/${name}`, value])),
    );
    this.view.note(describeValidation(record, best), { type: 'validation', step, epoch, ...metrics, best });
    if (best) await this.saveModel(this.latest!.weights);
  }

  private noteCheckpoint({ step, name, best }: CheckpointEvent): void {
    this.view.note('', { type: 'checkpoint', step, name, best });
  }

  private async saveModel(weights?: ReturnType<typeof uniqueState>): Promise<void> {
    const { config, model, codec } = this.prepared;
    await saveModelFolder(config.out, { model, codec, search: config.search }, { weights });
    this.hasModel = true;
  }

  private measureOptions(): MeasureOptions {
    const { config, codec } = this.prepared;
    const { scores, pairs, samples, variants, references } = config.validation;
    const settings = scoreSettings(config, codec.target.language);
    return { scores, settings, search: config.search, limit: pairs, variants, references, samples };
  }

  private seconds(): number {
    return this.earlier.seconds + (performance.now() - this.startedAt) / 1000;
  }
}

function describeValidation({ step, loss, accuracy, scores }: ValidationRecord, best: boolean): string {
  const parts = Object.entries(scores).map(([name, { score }]) => `${name} ${score.toFixed(2)}`);
  const text = [`loss ${loss.toFixed(4)}`, `accuracy ${accuracy.toFixed(2)} %`, ...parts].join(' · ');
  return `validation at step ${step}: ${text}${best ? ' · best' : ''}`;
}
