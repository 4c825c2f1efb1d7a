// A worker of data-parallel training: a replica of the model on a heap of its own.
import { parentPort, workerData } from 'node:worker_threads';
import { readValues, useBackend, writeValues } from '@seqloom/tensor-ops';
import { dispose } from '@tensorflow/tfjs-core';
import { Seq2Seq } from '../model.js';
import { shardsGradients } from '../training/gradient-source.js';
import { type FromWorker, inTurn, type ToWorker, type WorkerSetup } from './protocol.js';

const { config, weights, gradients } = workerData as WorkerSetup;

function answer(message: FromWorker): void {
  parentPort?.postMessage(message);
}

function compute(model: Seq2Seq, { plan, count, shards }: ToWorker): FromWorker {
  for (const [parameter, values] of inTurn(model.parameters(), weights)) writeValues(parameter, values);
  const part = shardsGradients(model, shards, plan, count);
  for (const [gradient, values] of inTurn(part.gradients, gradients)) readValues(gradient, values);
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
