import { existsSync } from 'node:fs';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { openCorpus, openLines } from '@seqloom/data-tokenizer/node';

const root = new URL('../../', import.meta.url);
const folder = process.env.SEQLOOM_DATA
  ? pathToFileURL(`${process.env.SEQLOOM_DATA}/`)
  : new URL('../shared/data/', root);
const captions = ['train.en', 'train.de'].map((name) => fileURLToPath(new URL(`multi30k/${name}`, folder)));
const hasCaptions = captions.every((file) => existsSync(file));

/** Which text the tokenizers are measured on: 58,000 lines where Multi30k lies in SEQLOOM_DATA or beside the project, else the own corpus. */
export const corpusName = hasCaptions ? 'multi30k' : 'zh-en';

/** All lines of both languages. */
export async function corpusLines(): Promise<string[]> {
  const lines: string[] = [];
  if (hasCaptions) {
    for (const file of captions) for await (const line of openLines(file)) lines.push(line);
    return lines;
  }
  const own = openCorpus(new URL('apps/node-trainer/data/zh-en.train.tsv', root));
  for await (const { source, target } of own) lines.push(source, target);
  return lines;
}
