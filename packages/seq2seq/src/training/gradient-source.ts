// Where gradients come from: this thread, or several.
import { type DropoutKey, valueAndGradients } from '@seqloom/tensor-ops';
import { add, dispose, type Tensor, zerosLike } from '@tensorflow/tfjs-core';
import { type Batch, checkBatch, targetTokens, trimmed } from '../batch.js';
import type { Seq2Seq } from '../model.js';
import { sampledInputs } from './scheduled-sampling.js';

/** What one optimizer step asks for, besides its batches. */
export interface GradientPlan {
  /** From 1. */
  step: number;
  seed: number;
  labelSmoothing: number;
  /** λ of the coverage loss. */
  coverage: number;
  reduction: 'token' | 'sentence';
  /** Share of decoder inputs that are the true tokens (scheduled sampling); 1 is teacher forcing. */
  truth: number;
}

export interface Gradients {
  /** Loss over all batches of the step, by the plan's reduction. */
  loss: number;
  /** Target tokens. */
  tokens: number;
  /** In the order of `model.parameters()`; the caller disposes them. */
  gradients: Tensor[];
}

/** Loss and gradients of the batches of one step together, as if they were one batch. */
export interface GradientSource {
  compute(batches: readonly Batch[], plan: GradientPlan): Promise<Gradients>;
  dispose(): Promise<void>;
}

/** What a step's losses are divided by. */
export function normalizer(batches: readonly Batch[], reduction: GradientPlan['reduction']): number {
  const sum = batches.reduce((total, batch) => total + (reduction === 'token' ? targetTokens(batch) : batch.rows), 0);
  return Math.max(1, sum);
}

/** Some rows of a step, and where they begin among all its rows: dropout does not depend on how rows are shared out. */
export interface Shard {
  batch: Batch;
  rowOffset: number;
}

/** The batch at its own width. @throws Error where it does not fit the model */
export function checkedAndTrimmed({ config }: Seq2Seq, batch: Batch): Batch {
  checkBatch(batch, config.sourceVocabulary, config.targetVocabulary);
  return trimmed(batch, config.padId);
}

/** Gradients computed on this thread, one batch after the other. */
export class LocalGradients implements GradientSource {
  constructor(private readonly model: Seq2Seq) {}

  async compute(given: readonly Batch[], plan: GradientPlan): Promise<Gradients> {
    const batches = given.map((batch) => checkedAndTrimmed(this.model, batch));
    let rowOffset = 0;
    const shards = batches.map((batch) => {
      const shard = { batch, rowOffset };
      rowOffset += batch.rows;
      return shard;
    });
    const tokens = batches.reduce((sum, batch) => sum + targetTokens(batch), 0);
    return { ...shardsGradients(this.model, shards, plan, normalizer(batches, plan.reduction)), tokens };
  }

  async dispose(): Promise<void> {}
}

/**
 * Loss and gradients of some shards of a step, added up.
 *
 * @param count what the step's loss is divided by
 * @returns gradients in the order of `model.parameters()`, which the caller disposes
 */
export function shardsGradients(
  model: Seq2Seq,
  shards: readonly Shard[],
  plan: GradientPlan,
  count: number,
): { loss: number; gradients: Tensor[] } {
  const [first, ...rest] = shards;
  if (!first) return { loss: 0, gradients: model.parameters().map((parameter) => zerosLike(parameter)) };
  const sum = shardGradients(model, first, plan, count);
  for (const shard of rest) {
    const next = shardGradients(model, shard, plan, count);
    const gradients = sum.gradients.map((gradient, i) => add(gradient, next.gradients[i]!));
    dispose([...sum.gradients, ...next.gradients]);
    sum.loss += next.loss;
    sum.gradients = gradients;
  }
  return sum;
}

function shardGradients(
  model: Seq2Seq,
  { batch, rowOffset }: Shard,
  { step, seed, truth, labelSmoothing, coverage }: GradientPlan,
  count: number,
): { loss: number; gradients: Tensor[] } {
  const dropout: DropoutKey = { seed, step, rowOffset };
  const inputs = truth < 1 ? { inputs: sampledInputs(model, batch, truth, dropout) } : {};
  const { value, gradients } = valueAndGradients(
    () => model.loss(batch, { labelSmoothing, coverage, dropout, divisor: count, ...inputs }),
    model.parameters(),
  );
  const [loss] = value.dataSync();
  value.dispose();
  return { loss: loss!, gradients };
}
