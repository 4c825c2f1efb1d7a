// Where gradients come from: this thread, or several.
import { type DropoutKey, valueAndGradients } from '@seqloom/tensor-ops';
import { add, dispose, mul, type Scalar, type Tensor } from '@tensorflow/tfjs-core';
import { type Batch, targetTokens } from '../batch.js';
import { nextTurn } from '../event-loop.js';
import type { Seq2Seq } from '../model.js';
import { sampledInputs } from './scheduled-sampling.js';

/** What one optimizer step asks for, besides its batches. */
export interface GradientPlan {
  /** From 1. */
  step: number;
  seed: number;
  labelSmoothing: number;
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

/** Gradients computed on this thread, one batch after the other. */
export class LocalGradients implements GradientSource {
  constructor(private readonly model: Seq2Seq) {}

  async compute(batches: readonly Batch[], plan: GradientPlan): Promise<Gradients> {
    const count = normalizer(batches, plan.reduction);
    let loss = 0;
    let rowOffset = 0;
    let sums: Tensor[] = [];
    for (const batch of batches) {
      if (sums.length > 0) await nextTurn();
      const part = shardGradients(this.model, batch, plan, rowOffset, count);
      loss += part.loss;
      sums = sums.length === 0 ? part.gradients : summed(sums, part.gradients);
      rowOffset += batch.rows;
    }
    return { loss, tokens: batches.reduce((sum, batch) => sum + targetTokens(batch), 0), gradients: sums };
  }

  async dispose(): Promise<void> {}
}

/**
 * Loss and gradients of some rows of a step.
 *
 * @param rowOffset where these rows begin among all rows of the step, so that dropout does not depend on how they are shared out
 * @param count what the step's loss is divided by
 */
export function shardGradients(
  model: Seq2Seq,
  batch: Batch,
  plan: GradientPlan,
  rowOffset: number,
  count: number,
): { loss: number; gradients: Tensor[] } {
  const dropout: DropoutKey = { seed: plan.seed, step: plan.step, rowOffset };
  const inputs = plan.truth < 1 ? { inputs: sampledInputs(model, batch, plan.truth, dropout) } : {};
  const { value, gradients } = valueAndGradients(() => {
    const sum = model.loss(batch, { labelSmoothing: plan.labelSmoothing, dropout, reduction: 'sum', ...inputs });
    return mul(sum, 1 / count) as Scalar;
  }, model.parameters());
  const [loss] = value.dataSync();
  value.dispose();
  return { loss: loss!, gradients };
}

function summed(a: Tensor[], b: Tensor[]): Tensor[] {
  const sums = a.map((gradient, i) => add(gradient, b[i]!));
  dispose([...a, ...b]);
  return sums;
}
