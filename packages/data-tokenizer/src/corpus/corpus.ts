import type { ByteSource } from './byte-source.js';
import { CmudictParser } from './cmudict.js';
import { CorpusError } from './corpus-error.js';
import { isBlank, type PairFilters, pairFilter } from './filter.js';
import { JsonLinesParser } from './json-lines.js';
import { type DefectPolicy, type LineBlock, type LineDefect, readLineBlocks } from './lines.js';
import { isMojibake } from './mojibake.js';
import { parallelRows } from './parallel.js';
import { type CorpusReport, ReportBuilder } from './report.js';
import { RowDefect, type RowParser } from './row-parser.js';
import { type ColumnReference, CommaParser, TabParser } from './table.js';

/** How a file writes its pairs. */
export type CorpusFormat = 'tsv' | 'csv' | 'jsonl' | 'cmudict';

/** A source and its translation, with the line it came from (from 1) and its columns by name. */
export type Pair<Name extends string = never> = {
  readonly source: string;
  readonly target: string;
  readonly line: number;
} & { readonly [name in Name]: string };

/** How a corpus is read. */
export interface CorpusOptions<Name extends string = string> {
  /**
   * The columns to use, by number (from 1) or name. A name is looked up in the header row; a file without one has its
   * columns named so, from the first on. Default: the first two. Two parallel files are named so, in order.
   */
  readonly columns?: readonly (Name | number)[];
  /** Which column is `pair.source`; default the first of `columns`. */
  readonly source?: Name | number;
  /** Which column is `pair.target`; default the second of `columns`. */
  readonly target?: Name | number;
  /** Default: by the file's name, else `tsv`. */
  readonly format?: CorpusFormat;
  /** Whether the first row is a header. Default `auto`: if it holds the names in `columns` or looks like one. */
  readonly header?: boolean | 'auto';
  /** What is done with NUL, invalid UTF-8 and rows without the columns; default `error`. Such rows cannot be mended. */
  readonly onInvalid?: DefectPolicy;
  readonly maxLineBytes?: number;
  readonly filters?: PairFilters;
  /** Names of the files in messages, when the source has none: one, or one for each of two parallel files. */
  readonly name?: string | { readonly source: string; readonly target: string };
}

/** Two files whose lines correspond. */
export interface ParallelSources<Source> {
  readonly source: Source;
  readonly target: Source;
}

/** Lines of a file, or of two, as rows: `values` for the selected columns, or why there are none. */
export interface RowBlock {
  readonly columns: readonly string[];
  readonly rows: readonly Row[];
}

/** One line, or the lines of one quoted row. */
export interface Row {
  readonly line: number;
  readonly values: readonly string[] | undefined;
  readonly defect?: LineDefect | 'missing-column' | 'malformed' | 'blank';
}

/** Opens the sentence pairs of a corpus; nothing is read before it is iterated. See {@link Corpus}. */
export function openCorpus<const Name extends string = never>(
  input: ByteSource | ParallelSources<ByteSource>,
  options: CorpusOptions<Name> = {},
): Corpus<Name> {
  return new Corpus(input, options);
}

/**
 * The sentence pairs of a corpus, read as they are asked for, in bounded memory. Every iteration is a new pass (which a
 * stream that was given as it is, not as a function that opens it, allows only once).
 *
 * @example
 * ```ts
 * const file = new Blob(['Hi.\t你好。\tCC-BY\n\nWelcome to Beijing\t欢迎来北京\tCC-BY\n']);
 * const corpus = openCorpus(file, { columns: ['en', 'zh'], source: 'zh', target: 'en' });
 * for await (const { source, target } of corpus) console.log(`${source} = ${target}`);
 * // → 你好。 = Hi.
 * // → 欢迎来北京 = Welcome to Beijing
 * console.log(JSON.stringify(corpus.report().dropped)); // → {"blank":{"count":1,"firstLines":[2]}}
 * ```
 *
 * @throws CorpusError while it is iterated, with file, line and rule.
 */
export class Corpus<Name extends string = never> implements AsyncIterable<Pair<Name>> {
  readonly #input: ByteSource | ParallelSources<ByteSource>;
  readonly #options: CorpusOptions<Name>;
  #report = new ReportBuilder();

  constructor(input: ByteSource | ParallelSources<ByteSource>, options: CorpusOptions<Name>) {
    checkColumns(options.columns ?? []);
    this.#input = input;
    this.#options = options;
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Pair<Name>, void, undefined> {
    const report = new ReportBuilder();
    this.#report = report;
    const broken = pairFilter(this.#options.filters ?? {});
    let layout: PairLayout | undefined;
    for await (const { columns, rows } of this.#rows(report)) {
      for (const { line, values, defect } of rows) {
        report.read++;
        if (values === undefined) {
          report.drop(defect ?? 'malformed', line);
          continue;
        }
        layout ??= layOut(columns, this.#options);
        const source = values[layout.source] as string;
        const target = values[layout.target] as string;
        const reason = broken(source, target);
        if (reason !== undefined) {
          report.drop(reason, line);
          continue;
        }
        if (isMojibake(source) || isMojibake(target)) report.warn('mojibake', line);
        report.kept++;
        const pair: Record<string, string | number> = { source, target, line };
        for (const { name, index } of layout.named) pair[name] = values[index] as string;
        yield pair as Pair<Name>;
      }
    }
  }

  /** One side of the kept pairs: `source`, `target`, or a column's name. */
  async *side(name: 'source' | 'target' | Name): AsyncGenerator<string, void, undefined> {
    for await (const pair of this) {
      const text = (pair as Record<string, unknown>)[name];
      if (typeof text !== 'string') {
        const names = Object.keys(pair).filter((key) => key !== 'line');
        throw new Error(`Corpus.side: the name must be one of ${names.join(', ')}; got ${JSON.stringify(name)}`);
      }
      yield text;
    }
  }

  /** What the latest pass has met so far. */
  report(): CorpusReport {
    return this.#report.toReport();
  }

  #rows(report: ReportBuilder): AsyncIterable<RowBlock> {
    const input = this.#input;
    const options = this.#options;
    const names = fileNames(input, options.name);
    const defects = new Map<number, LineDefect>();
    const lineOptions = (name: string) => ({
      name,
      onInvalid: options.onInvalid ?? 'error',
      ...(options.maxLineBytes !== undefined && { maxLineBytes: options.maxLineBytes }),
      onDefect: (defect: LineDefect, line: number) => {
        if (options.onInvalid === 'skip') defects.set(line, defect);
        else report.warn('replaced', line);
      },
    });
    if (isParallel(input)) {
      const columns = (options.columns ?? ['source', 'target']).map(String);
      const sides = [
        readLineBlocks(input.source, lineOptions(names.source)),
        readLineBlocks(input.target, lineOptions(names.target)),
      ] as const;
      return parallelRows(sides, names, columns, defects);
    }
    const parser = rowParser(names.source, options);
    const skip = options.onInvalid === 'skip';
    return fileRows(readLineBlocks(input, lineOptions(names.source)), parser, {
      file: names.source,
      skip,
      defects,
      report,
    });
  }
}

interface FileRowContext {
  readonly file: string;
  readonly skip: boolean;
  readonly defects: Map<number, LineDefect>;
  readonly report: ReportBuilder;
}

async function* fileRows(
  blocks: AsyncIterable<LineBlock>,
  parser: RowParser,
  context: FileRowContext,
): AsyncGenerator<RowBlock> {
  const { file, skip, defects, report } = context;
  for await (const { first, lines } of blocks) {
    const rows: Row[] = [];
    lines.forEach((text, index) => {
      const line = first + index;
      if (text === null) {
        rows.push({ line, values: undefined, defect: defects.get(line) ?? 'malformed' });
        defects.delete(line);
        return;
      }
      if (parser.openedAt === undefined && isBlank(text)) {
        rows.push({ line, values: undefined, defect: 'blank' });
        return;
      }
      const began = parser.openedAt ?? line;
      try {
        const values = parser.parse(text, line);
        if (values !== undefined) rows.push({ line: began, values });
      } catch (error) {
        if (!(error instanceof RowDefect)) throw error;
        if (!skip || parser.columns.length === 0) throw new CorpusError({ file, line: began }, error.message);
        rows.push({ line: began, values: undefined, defect: error.reason });
      }
    });
    report.header = parser.header;
    yield { columns: parser.columns, rows };
  }
  if (parser.openedAt !== undefined)
    throw new CorpusError({ file, line: parser.openedAt }, 'a quote opens here and is never closed');
}

function rowParser(file: string, options: CorpusOptions): RowParser {
  const { columns = [], header = 'auto' } = options;
  const format = options.format ?? formatOf(file);
  switch (format) {
    case 'jsonl': {
      const numbered = columns.find((column) => typeof column === 'number');
      if (numbered !== undefined) throw new Error(`openCorpus: columns of JSON Lines have names; got ${numbered}`);
      return new JsonLinesParser(columns as readonly string[]);
    }
    case 'cmudict':
      return new CmudictParser();
    case 'csv':
      return new CommaParser(tableOptions(columns, header));
    case 'tsv':
      return new TabParser(tableOptions(columns, header));
    default:
      throw new Error(`openCorpus: format must be tsv, csv, jsonl or cmudict; got ${JSON.stringify(format)}`);
  }
}

function tableOptions(columns: readonly ColumnReference[], header: boolean | 'auto') {
  return { columns, header };
}

function formatOf(file: string): CorpusFormat {
  const extension = /\.(\w+)(?:\.gz)?$/.exec(file)?.[1]?.toLowerCase();
  if (extension === 'csv') return 'csv';
  if (extension === 'jsonl' || extension === 'ndjson' || extension === 'json') return 'jsonl';
  return extension === 'dict' ? 'cmudict' : 'tsv';
}

interface PairLayout {
  readonly source: number;
  readonly target: number;
  readonly named: readonly { name: string; index: number }[];
}

// Names that a pair has anyway, and numbers, which are no names.
const unnamed = /^(?:source|target|line|\d+)$/;

function layOut(columns: readonly string[], options: CorpusOptions): PairLayout {
  const find = (side: 'source' | 'target', fallback: number): number => {
    const wanted = options[side];
    if (wanted === undefined) return fallback;
    const index = columns.indexOf(String(wanted));
    const position = index === -1 ? (options.columns ?? []).indexOf(wanted) : index;
    if (position === -1)
      throw new Error(`openCorpus: ${side} must be one of the columns ${columns.join(', ')}; got ${wanted}`);
    return position;
  };
  const source = find('source', 0);
  const target = find('target', 1);
  if (source === target)
    throw new Error(`openCorpus: source and target must be two columns; got ${columns[source]} twice`);
  const named = columns.map((name, index) => ({ name, index })).filter(({ name }) => !unnamed.test(name));
  return { source, target, named };
}

function checkColumns(columns: readonly ColumnReference[]): void {
  if (columns.length === 1) throw new Error(`openCorpus: columns must name two or more; got ${columns[0]} alone`);
  if (new Set(columns).size !== columns.length)
    throw new Error(`openCorpus: columns must differ; got ${columns.join(', ')}`);
  const bad = columns.find((column) => typeof column === 'number' && !(Number.isInteger(column) && column >= 1));
  if (bad !== undefined) throw new Error(`openCorpus: columns count from 1; got ${bad}`);
}

function isParallel(input: ByteSource | ParallelSources<ByteSource>): input is ParallelSources<ByteSource> {
  return typeof input === 'object' && 'source' in input && 'target' in input;
}

function fileNames(
  input: ByteSource | ParallelSources<ByteSource>,
  name: CorpusOptions['name'],
): { source: string; target: string } {
  if (typeof name === 'object') return { source: name.source, target: name.target };
  if (isParallel(input)) {
    return { source: ownName(input.source) ?? 'source', target: ownName(input.target) ?? 'target' };
  }
  const own = name ?? ownName(input) ?? 'corpus';
  return { source: own, target: own };
}

function ownName(source: ByteSource): string | undefined {
  return typeof File === 'function' && source instanceof File ? source.name : undefined;
}
