// Data-parallel training in Node: every worker thread has its own tfjs heap and a replica of the model. Weights go out and
// gradients come back through shared memory; this thread takes a part of every batch itself.
import { Worker } from 'node:worker_threads';
import { addValues, readValues } from '@seqloom/tensor-ops';
import { dispose, type Tensor } from '@tensorflow/tfjs-core';
import { type Batch, sliceRows, targetTokens } from '../batch.js';
import type { Seq2Seq } from '../model.js';
import {
  checkedAndTrimmed,
  type GradientPlan,
  type GradientSource,
  type Gradients,
  normalizer,
  type Shard,
  shardsGradients,
} from '../training/gradient-source.js';
import { type FromWorker, inTurn, type ToWorker, type WorkerSetup } from './protocol.js';

/** Starts `workers - 1` threads beside this one. @throws Error when one cannot start */
export async function startParallel(model: Seq2Seq, workers: number): Promise<GradientSource> {
  const source = new ParallelGradients(model, workers);
  try {
    await source.ready();
  } catch (error) {
    await source.dispose();
    throw error;
  }
  return source;
}

class ParallelGradients implements GradientSource {
  private readonly weights: Float32Array;
  private readonly replicas: Replica[];

  constructor(
    private readonly model: Seq2Seq,
    workers: number,
  ) {
    const size = model.parameters().reduce((sum, parameter) => sum + parameter.size, 0);
    this.weights = sharedFloats(size);
    this.replicas = Array.from({ length: workers - 1 }, (_, i) => new Replica(i + 2, model, this.weights));
  }

  async ready(): Promise<void> {
    await Promise.all(this.replicas.map((replica) => replica.answer()));
  }

  async compute(given: readonly Batch[], plan: GradientPlan): Promise<Gradients> {
    const batches = given.map((batch) => checkedAndTrimmed(this.model, batch));
    const count = normalizer(batches, plan.reduction);
    const [own, ...others] = shardsOf(batches, this.replicas.length + 1) as [Shard[], ...Shard[][]];
    this.publishWeights();
    const answers = this.replicas.map((replica, i) => replica.ask({ plan, count, shards: others[i]! }));
    const whole = Promise.all(answers);
    whole.catch(() => {}); // awaited below; a failure must not count as unhandled while this thread computes
    await new Promise((resolve) => setImmediate(resolve)); // lets the messages go before this thread is busy
    const part = shardsGradients(this.model, own, plan, count);
    try {
      const losses = await whole;
      this.addTo(part.gradients, others);
      return {
        loss: losses.reduce((sum, loss) => sum + loss, part.loss),
        tokens: batches.reduce((sum, batch) => sum + targetTokens(batch), 0),
        gradients: part.gradients,
      };
    } catch (error) {
      dispose(part.gradients);
      throw error;
    }
  }

  async dispose(): Promise<void> {
    await Promise.all(this.replicas.map((replica) => replica.stop()));
  }

  private publishWeights(): void {
    for (const [parameter, values] of inTurn(this.model.parameters(), this.weights)) readValues(parameter, values);
  }

  /** Adds each worker's gradients to this thread's, always in the same order. */
  private addTo(gradients: Tensor[], shards: Shard[][]): void {
    for (const [i, replica] of this.replicas.entries()) {
      if (shards[i]!.length === 0) continue;
      const parts = [...inTurn(gradients, replica.gradients)];
      for (const [k, [gradient, values]] of parts.entries()) gradients[k] = addValues(gradient, values);
    }
  }
}

/** A worker thread seen from here. */
class Replica {
  readonly gradients: Float32Array;
  private readonly worker: Worker;
  private waiting: { resolve: (loss: number) => void; reject: (error: Error) => void } | null = null;
  private failure: Error | null = null;
  private stopping = false;

  constructor(
    private readonly number: number,
    model: Seq2Seq,
    weights: Float32Array,
  ) {
    this.gradients = sharedFloats(weights.length);
    const setup: WorkerSetup = { config: model.config, weights, gradients: this.gradients };
    this.worker = startWorker(setup);
    this.worker.on('message', (message: FromWorker) => this.settle(message));
    this.worker.on('error', (error: Error) => this.fail(error.message));
    this.worker.on('exit', (code) => this.fail(`it exited with code ${code}`));
  }

  ask(work: ToWorker): Promise<number> {
    if (work.shards.length === 0) return Promise.resolve(0);
    const answer = this.answer();
    if (!this.failure) this.worker.postMessage(work);
    return answer;
  }

  /** The next message's loss; the first one only says that the worker is ready. */
  answer(): Promise<number> {
    return new Promise((resolve, reject) => {
      if (this.failure) reject(this.failure);
      else this.waiting = { resolve, reject };
    });
  }

  async stop(): Promise<void> {
    this.stopping = true;
    await this.worker.terminate();
  }

  private settle(message: FromWorker): void {
    if ('error' in message) this.fail(message.error);
    else this.waiting?.resolve(message.loss);
  }

  private fail(reason: string): void {
    if (this.stopping || this.failure) return;
    this.failure = new Error(`train: worker ${this.number} stopped: ${reason}`);
    this.waiting?.reject(this.failure);
  }
}

/** Rows shared out evenly: worker w of n takes the w-th part of every batch. */
function shardsOf(batches: readonly Batch[], n: number): Shard[][] {
  const parts: Shard[][] = Array.from({ length: n }, () => []);
  let rowOffset = 0;
  for (const batch of batches) {
    for (const [w, part] of parts.entries()) {
      const from = Math.floor((batch.rows * w) / n);
      const to = Math.floor((batch.rows * (w + 1)) / n);
      if (to > from) part.push({ batch: sliceRows(batch, from, to), rowOffset: rowOffset + from });
    }
    rowOffset += batch.rows;
  }
  return parts;
}

function startWorker(workerData: WorkerSetup): Worker {
  const fromSource = import.meta.url.endsWith('.ts');
  if (!fromSource) return new Worker(new URL('./worker.js', import.meta.url), { workerData });
  return new Worker(new URL('./worker-from-source.mjs', import.meta.url), {
    workerData,
    execArgv: ['--conditions=@seqloom/source'],
  });
}

function sharedFloats(length: number): Float32Array {
  return new Float32Array(new SharedArrayBuffer(4 * length));
}
