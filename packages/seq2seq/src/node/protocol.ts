// What the training thread and its workers say to each other.
import type { MessagePort } from 'node:worker_threads';
import type { Tensor } from '@tensorflow/tfjs-core';
import type { ModelConfig } from '../config/model-config.js';
import type { GradientPlan, Shard } from '../training/gradient-source.js';

/** What a worker starts with; the arrays are shared memory, all parameters one after the other. */
export interface WorkerSetup {
  port: MessagePort;
  config: ModelConfig;
  weights: Float32Array;
  gradients: Float32Array;
}

/** Each tensor with its place in the shared array, where all lie one after the other. */
export function* inTurn<T extends Tensor>(tensors: readonly T[], shared: Float32Array): Generator<[T, Float32Array]> {
  let at = 0;
  for (const tensor of tensors) {
    yield [tensor, shared.subarray(at, at + tensor.size)];
    at += tensor.size;
  }
}

/** Take the weights, compute, leave the gradients. */
export interface ToWorker {
  plan: GradientPlan;
  count: number;
  shards: Shard[];
}

export type FromWorker = { loss: number } | { error: string };
