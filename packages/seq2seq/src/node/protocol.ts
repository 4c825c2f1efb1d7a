// What the training thread and its workers say to each other.
import type { MessagePort } from 'node:worker_threads';
import type { OptimizerState } from '@seqloom/tensor-ops';
import type { ModelConfig } from '../config/model-config.js';
import type { TrainSettings } from '../training/options.js';
import type { GradientPlan, Shard } from '../training/shards.js';
import type { Update } from '../training/stepper.js';

/** Memory of all threads. Weights and gradients are all parameters one after the other. */
export interface Shared {
  weights: Float32Array;
  /** One a thread. */
  gradients: Float32Array[];
  losses: Float64Array;
  /** Of the gradients that a thread owns. */
  norms: Float64Array;
  /** Threads at the barrier. */
  arrivals: Int32Array;
  /** Messages told to each thread. */
  told: Int32Array;
}

/** What a worker starts with. */
export interface WorkerSetup {
  port: MessagePort;
  /** Its number; the training thread is 0. */
  thread: number;
  config: ModelConfig;
  optimizer: TrainSettings['optimizer'];
  shared: Shared;
}

/** A thread's part of a step. */
export interface Work {
  plan: GradientPlan;
  count: number;
  update: Update;
  shards: Shard[];
}

/** Take part in a step; begin from the shared weights, and from a state where there is one; or tell the state. */
export type ToWorker = { work: Work } | { begin: OptimizerState | null } | 'state';

/** An answer to `begin` and `state`, or why the worker has stopped. */
export type FromWorker = 'ready' | { state: OptimizerState } | { error: string };
