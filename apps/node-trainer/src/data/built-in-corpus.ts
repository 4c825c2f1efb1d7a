import { fileURLToPath } from 'node:url';
import { openCorpus } from '@seqloom/data-tokenizer/node';
import type { RunConfig } from '../config/run-config.js';
import type { CorpusPart } from '../corpora/corpus-part.js';
import { humanDates } from '../corpora/dates.js';
import { pronunciations } from '../corpora/g2p.js';
import { reversedNumbers } from '../corpora/reverse.js';
import type { TextPair } from './load-data.js';
import { removeStress } from './stress.js';

export interface BuiltInParts {
  readonly train: readonly TextPair[];
  readonly valid: readonly TextPair[] | number;
  readonly test: readonly TextPair[] | number;
}

/** The pairs of a corpus that comes with seqloom; those that are made depend on the seed. */
export async function builtInCorpus(
  name: NonNullable<RunConfig['data']['corpus']>,
  direction: string | undefined,
  seed: number,
  stress: RunConfig['data']['stress'],
): Promise<BuiltInParts> {
  if (name === 'zh-en')
    return { train: await readZhEn('train', direction), valid: 0.03, test: await readZhEn('heldout', direction) };
  const make = makers[name];
  const part = async (name: CorpusPart): Promise<TextPair[]> => {
    const pairs = await collect(make(name, seed));
    return stress === 'remove' ? removeStress(pairs) : pairs;
  };
  return { train: await part('train'), valid: await part('valid'), test: await part('test') };
}

const makers = { reverse: reversedNumbers, dates: humanDates, g2p: pronunciations };

async function collect(pairs: Iterable<TextPair> | AsyncIterable<TextPair>): Promise<TextPair[]> {
  const collected: TextPair[] = [];
  for await (const pair of pairs) collected.push(pair);
  return collected;
}

async function readZhEn(part: 'train' | 'heldout', direction: string | undefined): Promise<TextPair[]> {
  const file = fileURLToPath(new URL(`../../data/zh-en.${part}.tsv`, import.meta.url));
  const [source, target] = direction === 'en-zh' ? (['en', 'zh'] as const) : (['zh', 'en'] as const);
  const pairs = await collect(openCorpus(file, { columns: ['zh', 'en'], source, target }));
  return pairs.map((pair) => ({ source: pair.source, target: pair.target }));
}
