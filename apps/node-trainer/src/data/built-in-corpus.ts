import { fileURLToPath } from 'node:url';
import { openCorpus } from '@seqloom/data-tokenizer/node';
import type { RunConfig } from '../config/run-config.js';
import { InputError } from '../errors.js';
import type { TextPair } from './load-data.js';

export interface BuiltInParts {
  readonly train: readonly TextPair[];
  readonly valid: readonly TextPair[] | number;
  readonly test: readonly TextPair[] | number;
}

/** The pairs of a corpus that comes with seqloom. */
export async function builtInCorpus(
  name: NonNullable<RunConfig['data']['corpus']>,
  direction: string | undefined,
  seed: number,
): Promise<BuiltInParts> {
  void seed;
  if (name !== 'zh-en') throw new InputError(`the corpus ${name} is not there yet`);
  const read = async (part: string) => {
    const file = fileURLToPath(new URL(`../../data/zh-en.${part}.tsv`, import.meta.url));
    const [source, target] = direction === 'en-zh' ? (['en', 'zh'] as const) : (['zh', 'en'] as const);
    const pairs: TextPair[] = [];
    for await (const pair of openCorpus(file, { columns: ['zh', 'en'], source, target })) {
      pairs.push({ source: pair.source, target: pair.target });
    }
    return pairs;
  };
  return { train: await read('train'), valid: 0.03, test: await read('heldout') };
}
