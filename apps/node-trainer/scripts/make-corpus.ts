// Writes the embedded corpus: data/zh-en.train.tsv and data/zh-en.heldout.tsv, a Chinese and an English sentence a line.
//
//     pnpm --filter seqloom corpus
import { writeFile } from 'node:fs/promises';
import { makeCorpus } from './corpus/corpus.js';
import { patterns } from './corpus/patterns/index.js';
import { corpusFile, corpusSeed, toTsv } from './corpus/tsv.js';

const corpus = makeCorpus(patterns, corpusSeed);
for (const part of ['training', 'heldOut'] as const) await writeFile(corpusFile(part), toTsv(corpus[part]));
process.stdout.write(`${corpus.training.length} training pairs, ${corpus.heldOut.length} held out\n`);
