import type { ByteSource } from './byte-source.js';
import { type CorpusFormat, fileRows, rowParser } from './file-rows.js';
import { type PairFilters, pairFilter } from './filter.js';
import { type DefectPolicy, type LineDefect, readLineBlocks } from './lines.js';
import { isMojibake } from './mojibake.js';
import { layOut, type PairLayout } from './pair-layout.js';
import { parallelRows } from './parallel.js';
import { type CorpusReport, ReportBuilder } from './report.js';
import type { RowBlock } from './row.js';
import type { ColumnReference } from './table.js';

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
