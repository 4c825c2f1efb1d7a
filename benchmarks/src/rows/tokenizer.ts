// Byte-pair encoding with 8,000 joint pieces. (Hugging Face's Rust library cannot be told a vocabulary size from JavaScript, so learning has no rival.)
import { alone, versus } from '../compare.js';
import { nodeContender } from '../contender.js';
import { corpusName } from '../corpus.js';
import type { Entry } from '../entry.js';

const training = `tokenizer/bpe-train-8000/${corpusName}`;
const encoding = `tokenizer/encode/${corpusName}/vs-huggingface-js`;

export const tokenizer: Entry[] = [
  { name: training, run: () => alone(training, () => nodeContender('tokenizer', { task: 'train' }), 3) },
  {
    name: encoding,
    run: () =>
      versus(
        encoding,
        () => nodeContender('tokenizer', { task: 'encode' }),
        () => nodeContender('tokenizer', { task: 'encode', rival: true }),
        5,
      ),
  },
];
