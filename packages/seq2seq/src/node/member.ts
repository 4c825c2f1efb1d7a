// A thread among those that train a model together: it computes the gradients of its rows, and for the parameters that it owns it
// adds up all threads' gradients, takes the optimizer's step and hands the new weights to the others.
import {
  addValues,
  clipByGlobalNorm,
  globalNorm,
  type Optimizer,
  type OptimizerState,
  type Parameter,
  readValues,
  writeValues,
} from '@seqloom/tensor-ops';
import { dispose, type Tensor } from '@tensorflow/tfjs-core';
import type { Seq2Seq } from '../model.js';
import { createOptimizer } from '../training/optimizer.js';
import type { TrainSettings } from '../training/options.js';
import { shardsGradients } from '../training/shards.js';
import type { StepCheck } from '../training/stepper.js';
import { indicesOf, ownersOf } from './ownership.js';
import type { Shared, Work } from './protocol.js';

export interface MemberOptions {
  thread: number;
  model: Seq2Seq;
  optimizer: TrainSettings['optimizer'];
  shared: Shared;
}

export class Member {
  /** The owner of each parameter. */
  readonly owners: number[];
  private readonly thread: number;
  private readonly model: Seq2Seq;
  private readonly shared: Shared;
  private readonly parameters: Parameter[];
  /** Where each parameter begins in the shared arrays. */
  private readonly starts: number[];
  private readonly owned: number[];
  private readonly optimizer: Optimizer;

  constructor({ thread, model, optimizer, shared }: MemberOptions) {
    this.thread = thread;
    this.model = model;
    this.shared = shared;
    this.parameters = model.parameters();
    let start = 0;
    this.starts = this.parameters.map(({ size }) => {
      start += size;
      return start - size;
    });
    this.owners = ownersOf(this.parameters, shared.gradients.length);
    this.owned = indicesOf(this.owners, thread);
    this.optimizer = createOptimizer(
      this.owned.map((i) => this.parameters[i]!),
      optimizer,
    );
  }

  /**
   * This thread's part of a step, the threads' sums always in the same order; yields where all threads wait for each other.
   *
   * @returns of the whole step: its loss, and the norm of its gradients before clipping
   */
  *step({ plan, count, shards, update }: Work, check: StepCheck = () => {}): Generator<void, [number, number]> {
    const { gradients: parts, losses, norms } = this.shared;
    const { loss: part, gradients } = shardsGradients(this.model, shards, plan, count);
    try {
      losses[this.thread] = part;
      for (const [i, gradient] of gradients.entries()) {
        if (this.owners[i] !== this.thread) readValues(gradient, this.place(parts[this.thread]!, i));
      }
      yield;
      for (const [thread, values] of parts.entries()) {
        if (thread === this.thread) continue;
        for (const i of this.owned) gradients[i] = addValues(gradients[i]!, this.place(values, i));
      }
      const owned = this.owned.map((i) => gradients[i]!);
      norms[this.thread] = globalNorm(owned);
      yield;
      const [loss, norm] = [losses.reduce((sum, loss) => sum + loss, 0), Math.hypot(...norms)];
      check(loss, norm);
      if (update.clipNorm !== null) clipByGlobalNorm(owned, update.clipNorm, norm);
      this.optimizer.step(owned, update.learningRate);
      this.publish(this.owned);
      yield;
      this.adopt((i) => this.owners[i] !== this.thread);
      return [loss, norm];
    } finally {
      dispose(gradients);
    }
  }

  /** Writes all weights, for the others to begin from. */
  publishAll(): void {
    this.publish(this.parameters.keys());
  }

  /** Begins from the shared weights. */
  adoptAll(): void {
    this.adopt(() => true);
  }

  /** The state of this thread's part of the optimizer. */
  optimizerState(): OptimizerState {
    return this.optimizer.stateDict();
  }

  loadOptimizerState(state: OptimizerState): void {
    this.optimizer.loadStateDict(state);
  }

  dispose(): void {
    this.optimizer.dispose();
  }

  private publish(indices: Iterable<number>): void {
    for (const i of indices) readValues(this.parameters[i]!, this.place(this.shared.weights, i));
  }

  private adopt(wanted: (i: number) => boolean): void {
    for (const [i, parameter] of this.parameters.entries()) {
      if (wanted(i)) writeValues(parameter, this.place(this.shared.weights, i));
    }
  }

  private place(values: Float32Array, i: number): Float32Array {
    return values.subarray(this.starts[i]!, this.starts[i]! + (this.parameters[i] as Tensor).size);
  }
}
