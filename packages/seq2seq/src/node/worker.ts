// A worker of data-parallel training: a replica of the model on a heap of its own.
import { workerData } from 'node:worker_threads';
import { readValues, useBackend, writeValues } from '@seqloom/tensor-ops';
import { dispose } from '@tensorflow/tfjs-core';
import { Seq2Seq } from '../model.js';
import { shardsGradients } from '../training/gradient-source.js';
import { lookFor } from './look-for.js';
import { type FromWorker, inTurn, type ToWorker, type WorkerSetup } from './protocol.js';

const { port, config, weights, gradients } = workerData as WorkerSetup;

function answer(message: FromWorker): void {
  port.postMessage(message);
}

function compute(model: Seq2Seq, { plan, count, shards }: ToWorker): FromWorker {
  try {
    for (const [parameter, values] of inTurn(model.parameters(), weights)) writeValues(parameter, values);
    const part = shardsGradients(model, shards, plan, count);
    for (const [gradient, values] of inTurn(part.gradients, gradients)) readValues(gradient, values);
    dispose(part.gradients);
    return { loss: part.loss };
  } catch (error) {
    return { error: error instanceof Error ? error.message : String(error) };
  }
}

async function main(): Promise<void> {
  await useBackend();
  const model = Seq2Seq.create(config);
  port.on('message', (first: ToWorker) => {
    for (let work: ToWorker | undefined = first; work; work = lookFor(port)) answer(compute(model, work));
  });
  answer({ loss: 0 });
}

void main();
