// Our side of the training step: a model and a batch of full rows, one `step` event of `train`.
import { type Batch, type ModelConfigInput, Seq2Seq, train } from '@seqloom/seq2seq';
import { useBackend } from '@seqloom/tensor-ops';
import { getKernelsForBackend, unregisterKernel } from '@tensorflow/tfjs-core';
import { serve } from '../serve.js';
import type { Sizes } from '../sizes.js';

interface Options extends Sizes {
  workers: number;
  /** Instead of the GRU model with dot attention and the concat output. */
  model?: Partial<ModelConfigInput>;
  /** Whether sequences, attention, softmax, … are composed of tfjs' ops, as on a backend without our kernels. */
  composed?: boolean;
}

await serve(async ({ B, T, V, H, workers, model: parts, composed = false }: Options) => {
  await useBackend();
  if (composed) unregisterFused();
  const model = Seq2Seq.create({
    ...(parts ?? { encoder: { cell: 'gru', hiddenSize: H }, decoder: { kind: 'concat', attention: 'dot' } }),
    sourceVocabulary: V,
    targetVocabulary: V,
  });
  const batch = randomBatch(B, T, V);
  const events = train(model, () => endless(batch), { clipNorm: null, steps: 1_000_000, workers });
  return async () => {
    const { value, done } = await events.next();
    if (done || value.type !== 'step') throw new Error('train-step: the run ended before it was measured');
  };
});

function unregisterFused(): void {
  const fused = getKernelsForBackend('wasm').filter(({ kernelName }) => kernelName.startsWith('Seqloom'));
  for (const { kernelName } of fused) unregisterKernel(kernelName, 'wasm');
}

function* endless(batch: Batch): Generator<Batch> {
  for (;;) yield batch;
}

/** Rows of full length: T source tokens, T target tokens to predict. */
function randomBatch(rows: number, width: number, vocabulary: number): Batch {
  const ids = (count: number) =>
    Int32Array.from({ length: count }, () => 4 + Math.floor(Math.random() * (vocabulary - 4)));
  const target = ids(rows * (width + 1));
  for (let row = 0; row < rows; row++) target[row * (width + 1)] = 2;
  return {
    rows,
    source: ids(rows * width),
    sourceWidth: width,
    sourceLengths: new Int32Array(rows).fill(width),
    target,
    targetWidth: width + 1,
    targetLengths: new Int32Array(rows).fill(width + 1),
  };
}
