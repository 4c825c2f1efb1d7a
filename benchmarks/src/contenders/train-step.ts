// Our side of the training step: the GRU model with dot attention and the concat output, one `step` event of `train`.
import { type Batch, Seq2Seq, train } from '@seqloom/seq2seq';
import { useBackend } from '@seqloom/tensor-ops';
import { serve } from '../serve.js';
import type { Sizes } from '../sizes.js';

await serve(async ({ B, T, V, H, workers }: Sizes & { workers: number }) => {
  await useBackend();
  const model = Seq2Seq.create({
    encoder: { cell: 'gru', hiddenSize: H },
    decoder: { kind: 'concat', attention: 'dot' },
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
