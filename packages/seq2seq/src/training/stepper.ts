// One optimizer step, on this thread or on several.
import { clipByGlobalNorm, globalNorm, type Optimizer, type OptimizerState } from '@seqloom/tensor-ops';
import { dispose } from '@tensorflow/tfjs-core';
import { type Batch, targetTokens } from '../batch.js';
import type { Seq2Seq } from '../model.js';
import { createOptimizer } from './optimizer.js';
import type { TrainSettings } from './options.js';
import { checkedAndTrimmed, type GradientPlan, normalizer, shardsGradients, wholeBatches } from './shards.js';

/** How gradients change the weights. */
export interface Update {
  learningRate: number;
  /** Largest norm of all gradients together; null clips nothing. */
  clipNorm: number | null;
}

export interface StepResult {
  /** Loss over all batches of the step, by the plan's reduction. */
  loss: number;
  /** Target tokens. */
  tokens: number;
  /** Before clipping. */
  gradientNorm: number;
}

/** Called before anything changes; what it throws ends the step. */
export type StepCheck = (loss: number, gradientNorm: number) => void;

export interface Stepper {
  /** Takes one step over all batches, as if they were one. */
  step(batches: readonly Batch[], plan: GradientPlan, update: Update, check: StepCheck): Promise<StepResult>;
  /** What the next steps depend on beside the weights. */
  optimizerState(): Promise<OptimizerState>;
  /** Goes on from the model's weights as they are now, and from this state. */
  resume(state: OptimizerState): Promise<void>;
  dispose(): Promise<void>;
}

/** Steps on this thread, one batch after the other. */
export class LocalStepper implements Stepper {
  private readonly optimizer: Optimizer;

  constructor(
    private readonly model: Seq2Seq,
    optimizer: TrainSettings['optimizer'],
  ) {
    this.optimizer = createOptimizer(model.parameters(), optimizer);
  }

  async step(given: readonly Batch[], plan: GradientPlan, update: Update, check: StepCheck): Promise<StepResult> {
    const batches = given.map((batch) => checkedAndTrimmed(this.model, batch));
    const count = normalizer(batches, plan.reduction);
    const { loss, gradients } = shardsGradients(this.model, wholeBatches(batches), plan, count);
    try {
      const { learningRate, clipNorm } = update;
      const gradientNorm = clipNorm === null ? globalNorm(gradients) : clipByGlobalNorm(gradients, clipNorm);
      check(loss, gradientNorm);
      this.optimizer.step(gradients, learningRate);
      return { loss, tokens: batches.reduce((sum, batch) => sum + targetTokens(batch), 0), gradientNorm };
    } finally {
      dispose(gradients);
    }
  }

  async optimizerState(): Promise<OptimizerState> {
    return this.optimizer.stateDict();
  }

  async resume(state: OptimizerState): Promise<void> {
    this.optimizer.loadStateDict(state);
  }

  async dispose(): Promise<void> {
    this.optimizer.dispose();
  }
}
