// Data-parallel training in Node: every worker thread has its own tfjs heap and a replica of the model. Gradients and weights go
// from thread to thread through shared memory; this thread takes a part of every batch itself.
import { MessageChannel, type MessagePort, Worker } from 'node:worker_threads';
import type { OptimizerState } from '@seqloom/tensor-ops';
import { type Batch, sliceRows, targetTokens } from '../batch.js';
import type { Seq2Seq } from '../model.js';
import type { TrainSettings } from '../training/options.js';
import { checkedAndTrimmed, type GradientPlan, normalizer, type Shard } from '../training/shards.js';
import type { StepCheck, Stepper, StepResult, Update } from '../training/stepper.js';
import { Barrier } from './barrier.js';
import { lookFor } from './look-for.js';
import { Outbox } from './mailbox.js';
import { Member } from './member.js';
import { partOfState, wholeState } from './ownership.js';
import type { FromWorker, Shared, ToWorker, WorkerSetup } from './protocol.js';

/** Starts `workers - 1` threads beside this one. @throws Error when one cannot start */
export async function startParallel(
  model: Seq2Seq,
  workers: number,
  optimizer: TrainSettings['optimizer'],
): Promise<Stepper> {
  const stepper = new ParallelStepper(model, workers, optimizer);
  try {
    await stepper.start();
  } catch (error) {
    await stepper.dispose();
    throw error;
  }
  return stepper;
}

class ParallelStepper implements Stepper {
  private readonly shared: Shared;
  private readonly member: Member;
  private readonly barrier: Barrier;
  private readonly replicas: Replica[];

  constructor(
    private readonly model: Seq2Seq,
    threads: number,
    optimizer: TrainSettings['optimizer'],
  ) {
    this.shared = sharedMemory(
      model.parameters().reduce((sum, { size }) => sum + size, 0),
      threads,
    );
    const { shared } = this;
    this.member = new Member({ thread: 0, model, optimizer, shared });
    this.barrier = new Barrier(shared.arrivals, threads);
    const { config } = model;
    this.replicas = Array.from(
      { length: threads - 1 },
      (_, i) => new Replica({ thread: i + 1, config, optimizer, shared }),
    );
  }

  async start(): Promise<void> {
    await Promise.all(this.replicas.map((replica) => replica.answer()));
    await this.begin(null);
  }

  async step(given: readonly Batch[], plan: GradientPlan, update: Update, check: StepCheck): Promise<StepResult> {
    const batches = given.map((batch) => checkedAndTrimmed(this.model, batch));
    const count = normalizer(batches, plan.reduction);
    const [own, ...others] = shardsOf(batches, this.replicas.length + 1) as [Shard[], ...Shard[][]];
    for (const [i, replica] of this.replicas.entries())
      replica.tell({ work: { plan, count, update, shards: others[i]! } });
    const checkReplicas = () => {
      for (const replica of this.replicas) replica.check();
    };
    const part = this.member.step({ plan, count, update, shards: own }, check);
    try {
      for (let at = part.next(); ; at = part.next()) {
        if (at.done) {
          const [loss, gradientNorm] = at.value;
          return { loss, tokens: batches.reduce((sum, batch) => sum + targetTokens(batch), 0), gradientNorm };
        }
        await this.barrier.pass(checkReplicas);
      }
    } finally {
      part.return([0, 0]); // frees its gradients where the step was not ended
    }
  }

  async optimizerState(): Promise<OptimizerState> {
    for (const replica of this.replicas) replica.tell('state');
    const answers = await Promise.all(this.replicas.map((replica) => replica.answer()));
    const parts = answers.map((answer) => (answer as { state: OptimizerState }).state);
    return wholeState([this.member.optimizerState(), ...parts], this.member.owners);
  }

  async resume(state: OptimizerState): Promise<void> {
    await this.begin(state);
  }

  async dispose(): Promise<void> {
    this.member.dispose();
    await Promise.all(this.replicas.map((replica) => replica.stop()));
  }

  private async begin(state: OptimizerState | null): Promise<void> {
    const { member } = this;
    const part = (thread: number) => state && partOfState(state, member.owners, thread);
    if (state) member.loadOptimizerState(part(0)!);
    member.publishAll();
    for (const [i, replica] of this.replicas.entries()) replica.tell({ begin: part(i + 1) });
    await Promise.all(this.replicas.map((replica) => replica.answer()));
  }
}

/** A worker thread seen from here. */
class Replica {
  private readonly thread: number;
  private readonly worker: Worker;
  private readonly port: MessagePort;
  private readonly outbox: Outbox<ToWorker>;
  private waiting: { resolve: (message: FromWorker) => void; reject: (error: Error) => void } | null = null;
  /** Came before anyone waited. */
  private early: FromWorker | null = null;
  private failure: Error | null = null;
  private stopping = false;

  constructor(setup: Omit<WorkerSetup, 'port'>) {
    const { port1, port2 } = new MessageChannel();
    this.thread = setup.thread;
    this.port = port1.on('message', (message: FromWorker) => this.settle(message));
    this.outbox = new Outbox(port1, { cells: setup.shared.told, index: setup.thread });
    this.worker = startWorker({ ...setup, port: port2 });
    this.worker.on('error', (error: Error) => this.fail(error.message));
    this.worker.on('exit', (code) => this.fail(`it exited with code ${code}`));
  }

  tell(message: ToWorker): void {
    this.outbox.post(message);
  }

  /** @throws Error when the worker has stopped */
  check(): void {
    if (this.failure) throw this.failure;
  }

  /** The next message; the first one only says that the worker is ready. */
  answer(): Promise<FromWorker> {
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
    if (typeof message === 'object' && 'error' in message) this.fail(message.error);
    else if (!this.waiting) this.early = message;
    else {
      this.waiting.resolve(message);
      this.waiting = null;
    }
  }

  private fail(reason: string): void {
    if (this.stopping || this.failure) return;
    this.failure = new Error(`train: worker ${this.thread + 1} stopped: ${reason}`);
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

function sharedMemory(size: number, threads: number): Shared {
  const bytes = (count: number) => new SharedArrayBuffer(count);
  return {
    weights: new Float32Array(bytes(4 * size)),
    gradients: Array.from({ length: threads }, () => new Float32Array(bytes(4 * size))),
    losses: new Float64Array(bytes(8 * threads)),
    norms: new Float64Array(bytes(8 * threads)),
    arrivals: new Int32Array(bytes(4)),
    told: new Int32Array(bytes(4 * threads)),
  };
}
