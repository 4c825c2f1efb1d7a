import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { InputError } from '../errors.js';
import { type PairFiles, parseDirection } from './pair-source.js';

/** The files of a data set; a part that is not there is undefined. */
export interface DataFiles {
  readonly train: PairFiles | undefined;
  readonly valid: PairFiles | undefined;
  readonly test: PairFiles | undefined;
}

const names = { train: ['train'], valid: ['valid', 'dev', 'val'], test: ['test'] } as const;
const tableEndings = ['tsv', 'csv', 'jsonl', 'dict', 'txt'];

/**
 * Finds the parts of a folder by name: `train.tsv` (csv, jsonl, dict, txt, each also with .gz), or for a direction such
 * as de-en the parallel files `train.de` and `train.en`; likewise `valid` (or `dev`, `val`) and `test`.
 *
 * @throws InputError if there is no train part.
 */
export async function findDataFiles(folder: string, direction: string | undefined): Promise<DataFiles> {
  const files = new Set(await readdir(folder));
  const languages = direction === undefined ? undefined : parseDirection(direction);
  const pick = (base: string, endings: readonly string[]): string | undefined => {
    const name = endings
      .flatMap((ending) => [`${base}.${ending}`, `${base}.${ending}.gz`])
      .find((file) => files.has(file));
    return name === undefined ? undefined : path.join(folder, name);
  };
  const find = (bases: readonly string[]): PairFiles | undefined => {
    for (const base of bases) {
      const table = pick(base, tableEndings);
      if (table !== undefined) return table;
      const [source, target] = languages?.map((language) => pick(base, [language])) ?? [];
      if (source !== undefined && target !== undefined) return { source, target };
    }
    return undefined;
  };
  const found = { train: find(names.train), valid: find(names.valid), test: find(names.test) };
  if (found.train === undefined) {
    const parallel = languages === undefined ? '' : `, nor train.${languages[0]} and train.${languages[1]}`;
    throw new InputError(`the folder has no train.tsv, .csv, .jsonl, .dict or .txt${parallel}`, { file: folder });
  }
  return found;
}
