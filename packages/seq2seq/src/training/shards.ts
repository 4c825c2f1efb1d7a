// Gradients of the rows of a step, all of them or those that one thread takes.
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

/** The batches whole, one after the other. */
export function wholeBatches(batches: readonly Batch[]): Shard[] {
  let rowOffset = 0;
  return batches.map((batch) => {
    const shard = { batch, rowOffset };
    rowOffset += batch.rows;
    return shard;
  });
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
