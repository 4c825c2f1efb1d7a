// What the training thread and its workers say to each other.
import type { ModelConfig } from '../config/model-config.js';
import type { GradientPlan, Shard } from '../training/gradient-source.js';

/** What a worker starts with; the arrays are shared memory, all parameters one after the other. */
export interface WorkerSetup {
  config: ModelConfig;
  weights: Float32Array;
  gradients: Float32Array;
}

/** Take the weights, compute, leave the gradients. */
export interface ToWorker {
  plan: GradientPlan;
  count: number;
  shards: Shard[];
}

export type FromWorker = { loss: number } | { error: string };
