// A worker of data-parallel training: a replica of the model on a heap of its own.
import { parentPort, workerData } from 'node:worker_threads';
import { useBackend } from '@seqloom/tensor-ops';
import { dispose, tensor, tidy } from '@tensorflow/tfjs-core';
import { Seq2Seq } from '../model.js';
import { shardsGradients } from '../training/gradient-source.js';
import type { FromWorker, ToWorker, WorkerSetup } from './protocol.js';

const { config, weights, gradients } = workerData as WorkerSetup;

function answer(message: FromWorker): void {
  parentPort?.postMessage(message);
}

function takeWeights(model: Seq2Seq): void {
  let at = 0;
  for (const parameter of model.parameters()) {
    const values = weights.slice(at, at + parameter.size);
    tidy(() => parameter.assign(tensor(values, parameter.shape, 'float32')));
    at += parameter.size;
  }
}

function compute(model: Seq2Seq, { plan, count, shards }: ToWorker): FromWorker {
  takeWeights(model);
  const part = shardsGradients(model, shards, plan, count);
  let at = 0;
  for (const gradient of part.gradients) {
    gradients.set(gradient.dataSync(), at);
    at += gradient.size;
  }
  dispose(part.gradients);
  return { loss: part.loss };
}

async function main(): Promise<void> {
  await useBackend();
  const model = Seq2Seq.create(config);
  parentPort?.on('message', (work: ToWorker) => {
    try {
      answer(compute(model, work));
    } catch (error) {
      answer({ error: error instanceof Error ? error.message : String(error) });
    }
  });
  answer({ loss: 0 });
}

void main();
