import {
  type Corpus,
  type CorpusReport,
  CorpusStatistics,
  type DefectPolicy,
  describeReport,
  describeStatistics,
} from '@seqloom/data-tokenizer';
import { Command, Option } from 'commander';
import { openPairs, type PairFiles, toInputError } from '../data/pair-source.js';
import { InputError } from '../errors.js';
import { type Reading, showReading } from '../progress/reading.js';
import { commaList, onInvalidOption, positiveNumber, quietOption, sizeOrShare, wholeNumber } from './arguments.js';

interface CorpusOptions {
  readonly columns?: string;
  readonly direction?: string;
  readonly format?: 'tsv' | 'csv' | 'jsonl' | 'cmudict';
  readonly onInvalid: DefectPolicy;
  readonly header: boolean;
  readonly maxLineBytes?: number;
  readonly maxLength?: number;
  readonly maxRatio?: number;
  readonly drop: ('duplicates' | 'identical')[];
  readonly quiet?: boolean;
  readonly json?: boolean;
}

interface SplitOptions extends CorpusOptions {
  readonly valid: number;
  readonly test: number;
  readonly seed: number;
  readonly by: 'source' | 'target' | 'pair';
  readonly out: string;
}

export function corpusCommand(): Command {
  const corpus = new Command('corpus').description('look at, divide and measure files of sentence pairs');
  corpus.addCommand(
    withCorpusOptions(
      new Command('check').description('read every pair and say what is wrong, with line numbers'),
    ).action(check),
  );
  corpus.addCommand(
    withCorpusOptions(
      new Command('split').description('divide pairs at random, by a seed, into train.tsv, valid.tsv, test.tsv'),
    )
      .option('--valid <size>', 'pairs, or a share below 1', sizeOrShare, 1000)
      .option('--test <size>', 'pairs, or a share below 1', sizeOrShare, 1000)
      .option('--seed <n>', 'seed', wholeNumber(0), 1)
      .addOption(
        new Option('--by <side>', 'pairs with an equal side stay in one part')
          .choices(['source', 'target', 'pair'])
          .default('source'),
      )
      .requiredOption('--out <folder>', 'where the files go')
      .action(split),
  );
  corpus.addCommand(
    withCorpusOptions(new Command('stats').description('lengths, ratios and characters of both sides')).action(stats),
  );
  return corpus;
}

function withCorpusOptions(command: Command): Command {
  return command
    .argument('<file>', 'TSV, CSV, JSON Lines or cmudict, .gz too (- is standard input); or the source side')
    .argument('[target]', 'the target side, line by line')
    .option('--columns <names>', 'names or numbers of the columns, such as en,zh or 1,3')
    .option('--direction <pair>', 'which is the source and which the target, such as zh-en')
    .addOption(new Option('--format <name>', 'default: by the file’s name').choices(['tsv', 'csv', 'jsonl', 'cmudict']))
    .addOption(onInvalidOption('for NUL, invalid UTF-8, over-long lines and rows without the columns'))
    .option('--no-header', 'the first row is a pair, whatever it looks like')
    .option('--max-line-bytes <n>', 'longest line (default: 1 MiB)', wholeNumber(1))
    .option('--max-length <n>', 'drop pairs with a longer side, in characters', wholeNumber(1))
    .option('--max-ratio <r>', 'drop pairs whose sides differ more in length', positiveNumber)
    .option('--drop <kinds>', 'duplicates, identical', commaList(['duplicates', 'identical'] as const), [])
    .addOption(quietOption())
    .option('--json', 'print JSON');
}

/** The pairs that a command line names, and what tells a terminal how far they are read. */
function open(
  file: string,
  target: string | undefined,
  options: CorpusOptions,
): { corpus: Corpus<string>; reading: Reading } {
  const files: PairFiles = target === undefined ? file : { source: file, target };
  if (file === '-' && target === '-') throw new InputError('only one file can be standard input (-)');
  const reading = showReading(target === undefined ? [file] : [file, target], {
    noun: 'pairs',
    quiet: options.quiet || options.json,
  });
  const corpus = openPairs(files, {
    ...options,
    header: options.header ? 'auto' : false,
    columns: options.columns?.split(',').map((name) => (/^\d+$/.test(name) ? Number(name) : name.trim())),
    filters: {
      ...(options.maxLength !== undefined && { maxLength: options.maxLength }),
      ...(options.maxRatio !== undefined && { maxRatio: options.maxRatio }),
      duplicates: options.drop.includes('duplicates'),
      identical: options.drop.includes('identical'),
    },
    onRead: reading.onRead,
  });
  return { corpus, reading };
}

async function check(file: string, target: string | undefined, options: CorpusOptions): Promise<void> {
  const { corpus, reading } = open(file, target, options);
  await forEachPair(reading.count(corpus), () => {});
  const report = corpus.report();
  requirePairs(report, file);
  print(options, report, () => describeReport(report).join('\n'));
}

async function split(file: string, target: string | undefined, options: SplitOptions): Promise<void> {
  const { splitCorpus } = await import('../data/split-corpus.js');
  const { corpus, reading } = open(file, target, options);
  const pairs: { source: string; target: string }[] = [];
  await forEachPair(reading.count(corpus), (source, target) => pairs.push({ source, target }));
  requirePairs(corpus.report(), file);
  const sizes = await splitCorpus(pairs, options);
  print(options, { ...sizes, report: corpus.report() }, () =>
    [
      ...describeReport(corpus.report()),
      ...Object.entries(sizes).map(([name, size]) => `${options.out}/${name}.tsv: ${size} pairs`),
    ].join('\n'),
  );
}

async function stats(file: string, target: string | undefined, options: CorpusOptions): Promise<void> {
  const { corpus, reading } = open(file, target, options);
  const statistics = new CorpusStatistics();
  await forEachPair(reading.count(corpus), (source, target) => statistics.add(source, target));
  requirePairs(corpus.report(), file);
  const result = statistics.result();
  print(options, { ...result, report: corpus.report() }, () =>
    [...describeReport(corpus.report()), ...describeStatistics(result)].join('\n'),
  );
}

async function forEachPair(
  pairs: AsyncIterable<{ readonly source: string; readonly target: string }>,
  use: (source: string, target: string) => void,
): Promise<void> {
  try {
    for await (const { source, target } of pairs) use(source, target);
  } catch (error) {
    throw toInputError(error);
  }
}

function requirePairs(report: CorpusReport, file: string): void {
  if (report.kept === 0) throw new InputError(`no pairs are left; ${describeReport(report).join('; ')}`, { file });
}

function print(options: CorpusOptions, value: unknown, text: () => string): void {
  process.stdout.write(`${options.json ? JSON.stringify(value, null, 2) : text()}\n`);
}
