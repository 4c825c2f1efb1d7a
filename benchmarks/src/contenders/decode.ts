// Decoding: 20 tokens from a 20-token source with GRU 256, dot attention and the concat output over 8,000 words.
import { Seq2Seq, translateBatch } from '@seqloom/seq2seq';
import { useBackend } from '@seqloom/tensor-ops';
import { serve } from '../serve.js';

await serve(async ({ beam, rows, int8 }: { beam: number; rows: number; int8: boolean }) => {
  await useBackend();
  const model = Seq2Seq.create({
    encoder: { cell: 'gru', hiddenSize: 256 },
    decoder: { kind: 'concat', attention: 'dot' },
    sourceVocabulary: 8000,
    targetVocabulary: 8000,
  });
  model.layOut(int8 ? 'int8' : 'float32');
  const source = Array.from({ length: 20 }, (_, i) => 4 + ((i * 997) % 7996));
  const sentences = Array.from({ length: rows }, () => source);
  return () => translateBatch(model, sentences, { beam, minLength: 20, maxLength: 20, batchSize: rows });
});
