import path from 'node:path';
import { split } from '@seqloom/data-tokenizer';
import { makeFolder } from '@seqloom/seq2seq/node';
import { writeFileAtomic } from '../run/write-file.js';
import { asInput } from './pair-source.js';

interface TextPair {
  readonly source: string;
  readonly target: string;
}

export interface SplitSettings {
  readonly valid: number;
  readonly test: number;
  readonly seed: number;
  readonly by: 'source' | 'target' | 'pair';
  readonly out: string;
}

/** Writes train.tsv, valid.tsv and test.tsv (those that are not empty) and returns their sizes. */
export async function splitCorpus(
  pairs: readonly TextPair[],
  settings: SplitSettings,
): Promise<Record<string, number>> {
  const { by, out, ...sizes } = settings;
  const key = by === 'pair' ? ({ source, target }: TextPair) => `${source}\t${target}` : (pair: TextPair) => pair[by];
  const parts = asInput(() => split(pairs, { ...sizes, by: key }));
  makeFolder(out);
  const written: Record<string, number> = {};
  for (const [name, part] of Object.entries(parts) as [string, TextPair[]][]) {
    if (part.length === 0) continue;
    await writeFileAtomic(path.join(out, `${name}.tsv`), part.map(toRow).join(''));
    written[name] = part.length;
  }
  return written;
}

function toRow({ source, target }: TextPair): string {
  return `${oneCell(source)}\t${oneCell(target)}\n`;
}

// A tab inside a side (from CSV or JSON Lines) would be a column of its own.
function oneCell(text: string): string {
  return text.replaceAll(/[\t\n\r]+/g, ' ');
}
