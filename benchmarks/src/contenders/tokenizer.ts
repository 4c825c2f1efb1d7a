// Learning 8,000 pieces from a corpus, and encoding the same lines: ours, or @huggingface/tokenizers with the file that ours wrote.
import * as huggingFace from '@huggingface/tokenizers';
import { BytePairTokenizer } from '@seqloom/data-tokenizer';
import { corpusLines } from '../corpus.js';
import { serve } from '../serve.js';

await serve(async ({ task, rival = false }: { task: 'train' | 'encode'; rival?: boolean }) => {
  const lines = await corpusLines();
  const train = () => BytePairTokenizer.train(lines, { vocabularySize: 8000 });
  if (task === 'train') return train;
  const ours = await train();
  const file = JSON.parse(JSON.stringify(ours)) as object;
  const theirs = new huggingFace.Tokenizer(file, {});
  for (const line of lines.slice(0, 2000)) {
    if (theirs.encode(line).ids.join() !== ours.encode(line).ids.join()) throw new Error(`the two differ on: ${line}`);
  }
  return () => {
    let pieces = 0;
    if (rival) for (const line of lines) pieces += theirs.encode(line).ids.length;
    else for (const line of lines) pieces += ours.encode(line).ids.length;
    if (pieces === 0) throw new Error('nothing was encoded');
  };
});
