import { describeReport, split } from '@seqloom/data-tokenizer';
import type { RunConfig } from '../config/run-config.js';
import { InputError } from '../errors.js';
import { builtInCorpus } from './built-in-corpus.js';
import { findDataFiles } from './data-folder.js';
import { asInput, openPairs, type PairFiles, toInputError } from './pair-source.js';
import { removeStress } from './stress.js';

export interface TextPair {
  readonly source: string;
  readonly target: string;
}

export interface DataSet {
  readonly train: readonly TextPair[];
  readonly valid: readonly TextPair[];
  readonly test: readonly TextPair[];
  /** What was read and left out, for people; one line a file or reason. */
  readonly notes: readonly string[];
}

/** Reads the sentence pairs that a config names, and holds parts out where it gives numbers instead of files. */
export async function loadData(config: Pick<RunConfig, 'data' | 'seed'>): Promise<DataSet> {
  const { data, seed } = config;
  const notes: string[] = [];
  const found = await findParts(data, seed, notes);
  const train = data.limit === null ? found.train : found.train.slice(0, data.limit);
  const parts = holdOut({ ...found, train }, seed);
  for (const [name, pairs] of Object.entries(parts)) {
    if (pairs.length > 0) notes.push(`${name}: ${pairs.length.toLocaleString('en')} pairs`);
  }
  return { ...parts, notes };
}

/** Pairs, or how many of the training pairs to hold out. */
type Part = readonly TextPair[] | number;

interface Parts {
  readonly train: readonly TextPair[];
  readonly valid: Part;
  readonly test: Part;
}

async function findParts(data: RunConfig['data'], seed: number, notes: string[]): Promise<Parts> {
  const direction = data.direction ?? undefined;
  const found: Partial<Record<keyof Parts, Part | PairFiles | undefined>> =
    data.corpus !== null
      ? await builtInCorpus(data.corpus, direction, seed, data.stress)
      : data.folder !== null
        ? await findDataFiles(data.folder, direction)
        : { train: data.train! };
  const read = (part: Part | PairFiles, filtered: boolean): Part | Promise<Part> =>
    isFiles(part) ? readPart(part, data, filtered, notes) : part;
  const train = (await read(found.train!, true)) as readonly TextPair[];
  const choose = (name: 'valid' | 'test', fallback: number) =>
    read(preferred(data[name], found[name]) ?? fallback, false);
  return {
    train,
    valid: await choose('valid', Math.min(1000, Math.ceil(train.length * 0.05))),
    test: await choose('test', 0),
  };
}

/** A file that the config names wins, then pairs that were found, then the config's number of pairs to hold out. */
function preferred<Given extends Part | PairFiles>(
  given: Given | null,
  found: Given | Part | undefined,
): Given | Part | undefined {
  return typeof given === 'number' ? (typeof found === 'number' ? given : (found ?? given)) : (given ?? found);
}

function isFiles(part: Part | PairFiles): part is PairFiles {
  return typeof part === 'string' || (typeof part === 'object' && !Array.isArray(part));
}

/** Reads a file of pairs; only training pairs are filtered, since what is measured must not depend on filters. */
export async function readPart(
  files: PairFiles,
  data: RunConfig['data'],
  filtered: boolean,
  notes: string[],
): Promise<TextPair[]> {
  const corpus = openPairs(files, {
    format: data.format ?? undefined,
    columns: data.columns ?? undefined,
    header: data.header,
    direction: data.direction ?? undefined,
    onInvalid: data.onInvalid,
    filters: filtered
      ? {
          ...(data.maxLength !== null && { maxLength: data.maxLength }),
          ...(data.maxRatio !== null && { maxRatio: data.maxRatio }),
          duplicates: data.dropDuplicates,
          identical: data.dropIdentical,
        }
      : {},
  });
  const pairs: TextPair[] = [];
  try {
    for await (const { source, target } of corpus) pairs.push({ source, target });
  } catch (error) {
    throw toInputError(error);
  }
  const name = typeof files === 'string' ? files : `${files.source} and ${files.target}`;
  const report = corpus.report();
  if (pairs.length === 0)
    throw new InputError(`no pairs are left; ${describeReport(report).join('; ')}`, { file: name });
  if (report.kept < report.read) notes.push(`${name}: ${describeReport(report).join('; ')}`);
  return data.stress === 'remove' ? removeStress(pairs) : pairs;
}

function holdOut({ train, valid, test }: Parts, seed: number): Omit<DataSet, 'notes'> {
  const sizes = { valid: typeof valid === 'number' ? valid : 0, test: typeof test === 'number' ? test : 0 };
  const parts =
    sizes.valid + sizes.test === 0
      ? { train, valid: [], test: [] }
      : asInput(() => split(train, { ...sizes, seed, by: ({ source }) => source }));
  return {
    train: parts.train,
    valid: typeof valid === 'number' ? parts.valid : valid,
    test: typeof test === 'number' ? parts.test : test,
  };
}
