// Data-parallel training in Node: every worker thread has its own tfjs heap and a replica of the model. Weights go out and
// gradients come back through shared memory; this thread takes a part of every batch itself.
import { MessageChannel, type MessagePort, Worker } from 'node:worker_threads';
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
import { lookFor } from './look-for.js';
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
    const busy = this.replicas.filter((replica, i) => {
      const shards = others[i]!;
      if (shards.length > 0) replica.ask({ plan, count, shards });
      return shards.length > 0;
    });
    const part = shardsGradients(this.model, own, plan, count);
    try {
      let { loss } = part;
      for (const replica of busy) {
        loss += await replica.answer();
        addTo(part.gradients, replica.gradients);
      }
      const tokens = batches.reduce((sum, batch) => sum + targetTokens(batch), 0);
      return { loss, tokens, gradients: part.gradients };
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
}

/** Adds a worker's gradients to this thread's. */
function addTo(gradients: Tensor[], others: Float32Array): void {
  const parts = [...inTurn(gradients, others)];
  for (const [i, [gradient, values]] of parts.entries()) gradients[i] = addValues(gradient, values);
}

/** A worker thread seen from here. */
class Replica {
  readonly gradients: Float32Array;
  private readonly worker: Worker;
  private readonly port: MessagePort;
  private waiting: { resolve: (loss: number) => void; reject: (error: Error) => void } | null = null;
  /** Came before anyone waited. */
  private early: FromWorker | null = null;
  private failure: Error | null = null;
  private stopping = false;

  constructor(
    private readonly number: number,
    model: Seq2Seq,
    weights: Float32Array,
  ) {
    this.gradients = sharedFloats(weights.length);
    const { port1, port2 } = new MessageChannel();
    this.port = port1.on('message', (message: FromWorker) => this.settle(message));
    this.worker = startWorker({ port: port2, config: model.config, weights, gradients: this.gradients });
    this.worker.on('error', (error: Error) => this.fail(error.message));
    this.worker.on('exit', (code) => this.fail(`it exited with code ${code}`));
  }

  ask(work: ToWorker): void {
    this.port.postMessage(work);
  }

  /** The next message's loss; the first one only says that the worker is ready. */
  answer(): Promise<number> {
    return new Promise((resolve, reject) => {
      if (this.failure) return reject(this.failure);
      this.waiting = { resolve, reject };
      const message = this.early ?? lookFor<FromWorker>(this.port);
      this.early = null;
      if (message) this.settle(message);
    });
  }

  async stop(): Promise<void> {
    this.stopping = true;
    this.port.close();
    await this.worker.terminate();
  }

  private settle(message: FromWorker): void {
    if ('error' in message) this.fail(message.error);
    else if (!this.waiting) this.early = message;
    else {
      this.waiting.resolve(message.loss);
      this.waiting = null;
    }
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
  const options = { workerData, transferList: [workerData.port] };
  const fromSource = import.meta.url.endsWith('.ts');
  if (!fromSource) return new Worker(new URL('./worker.js', import.meta.url), options);
  return new Worker(new URL('./worker-from-source.mjs', import.meta.url), {
    ...options,
    execArgv: ['--conditions=@seqloom/source'],
  });
}

function sharedFloats(length: number): Float32Array {
  return new Float32Array(new SharedArrayBuffer(4 * length));
}
