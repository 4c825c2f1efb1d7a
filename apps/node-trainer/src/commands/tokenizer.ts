import { once } from 'node:events';
import { readFile, stat } from 'node:fs/promises';
import {
  BytePairTokenizer,
  CharacterTokenizer,
  type DefectPolicy,
  measureTokenizer,
  type Tokenizer,
  TokenizerFileError,
  tokenizerFromJSON,
  WordTokenizer,
} from '@seqloom/data-tokenizer';
import { openLines } from '@seqloom/data-tokenizer/node';
import { Command, Option } from 'commander';
import { InputError } from '../errors.js';
import { showReading } from '../progress/reading.js';
import { writeFileAtomic } from '../run/write-file.js';
import { onInvalidOption, quietOption, wholeNumber } from './arguments.js';

interface TrainOptions {
  readonly type: 'word' | 'moses' | 'whitespace' | 'character' | 'bpe';
  readonly vocabularySize?: number;
  readonly minFrequency?: number;
  readonly alphabet: 'bytes' | 'characters';
  readonly language?: string;
  readonly onInvalid: DefectPolicy;
  readonly maxLineBytes?: number;
  readonly out: string;
  readonly quiet?: boolean;
  readonly json?: boolean;
}

export function tokenizerCommand(): Command {
  const tokenizer = new Command('tokenizer').description(
    'learn, use and look at tokenizers (Hugging Face tokenizer.json)',
  );
  tokenizer
    .command('train')
    .description('learn a tokenizer from text, one sentence a line (- is standard input)')
    .argument('<files...>', 'text files; several are one text')
    .addOption(
      new Option('--type <name>', 'kind of pieces')
        .choices(['word', 'moses', 'whitespace', 'character', 'bpe'])
        .default('bpe'),
    )
    .option('--vocabulary-size <n>', 'largest number of pieces (default: bpe 8000, else no limit)', wholeNumber(5))
    .option('--min-frequency <n>', 'leave out what occurs fewer times (default: bpe 2, else 1)', wholeNumber(1))
    .addOption(
      new Option('--alphabet <name>', 'bpe: what pieces are made of').choices(['bytes', 'characters']).default('bytes'),
    )
    .addOption(onInvalidOption('for NUL, invalid UTF-8 and over-long lines'))
    .option('--max-line-bytes <n>', 'longest line (default: 1 MiB)', wholeNumber(1))
    .option('--language <tag>', 'word: whose dictionary is favoured, such as zh')
    .requiredOption('--out <file>', 'the tokenizer.json to write')
    .addOption(quietOption())
    .option('--json', 'print JSON')
    .action(train);
  tokenizer
    .command('encode')
    .description('text on standard input to pieces, line by line')
    .argument('<tokenizer>', 'a tokenizer.json')
    .option('--ids', 'print ids instead of pieces')
    .addOption(onInvalidOption('for NUL and invalid UTF-8', ['error', 'replace']))
    .option('--max-line-bytes <n>', 'longest line (default: 1 MiB)', wholeNumber(1))
    .addOption(quietOption())
    .option('--json', 'print ids, pieces and their offsets as JSON lines')
    .action(encode);
  tokenizer
    .command('decode')
    .description('ids on standard input, separated by spaces, to text, line by line')
    .argument('<tokenizer>', 'a tokenizer.json')
    .option('--max-line-bytes <n>', 'longest line (default: 1 MiB)', wholeNumber(1))
    .addOption(quietOption())
    .option('--json', 'print texts as JSON lines, ids may be JSON lists')
    .action(decode);
  tokenizer
    .command('inspect')
    .description('what a tokenizer holds, and how it cuts a text')
    .argument('<tokenizer>', 'a tokenizer.json')
    .option('--text <file>', 'report pieces a word and the share of <unk> on this text (- is standard input)')
    .addOption(onInvalidOption('for NUL, invalid UTF-8 and over-long lines of the text'))
    .option('--max-line-bytes <n>', 'longest line (default: 1 MiB)', wholeNumber(1))
    .addOption(quietOption())
    .option('--json', 'print JSON')
    .action(inspect);
  return tokenizer;
}

async function train(files: string[], options: TrainOptions): Promise<void> {
  const { onInvalid, maxLineBytes } = options;
  if (files.filter((file) => file === '-').length > 1) throw new InputError('only one file can be standard input (-)');
  let [lines, filled, defects] = [0, 0, 0];
  const reading = showReading(files, { noun: 'lines', quiet: options.quiet || options.json });
  const lineOptions = {
    onInvalid,
    ...(maxLineBytes && { maxLineBytes }),
    onDefect: () => void defects++,
    onRead: reading.onRead,
  };
  const texts = (async function* () {
    for (const file of files) {
      for await (const text of openLines(file, lineOptions)) {
        lines++;
        if (text.trim() !== '') filled++;
        yield text;
      }
    }
  })();
  const start = performance.now();
  const tokenizer = await learn(reading.count(texts), options);
  if (filled === 0)
    throw new InputError(`there is no text to learn from; got ${lines} lines, all blank`, { file: files.join(', ') });
  if (defects > 0)
    process.stderr.write(
      `warning: ${defects} lines are not clean text: ${onInvalid === 'skip' ? 'left out' : 'mended with U+FFFD'}\n`,
    );
  const seconds = (performance.now() - start) / 1000;
  await writeFileAtomic(options.out, `${JSON.stringify(tokenizer.toJSON(), null, 1)}\n`);
  print(
    options,
    { file: options.out, size: tokenizer.size, lines, defects, seconds },
    `${options.out}: ${tokenizer.size} pieces from ${lines} lines in ${seconds.toFixed(1)} s`,
  );
}

async function learn(texts: AsyncIterable<string>, options: TrainOptions): Promise<Tokenizer> {
  const { type, vocabularySize, minFrequency, alphabet, language } = options;
  if (language !== undefined && !isLanguageTag(language))
    throw new InputError(`--language must be a BCP 47 tag such as zh; got "${language}"`);
  const frequency = minFrequency === undefined ? {} : { minFrequency };
  if (type === 'bpe') {
    const size = vocabularySize ?? 8000;
    try {
      return await BytePairTokenizer.train(texts, { vocabularySize: size, alphabet, ...frequency });
    } catch (error) {
      throw error instanceof RangeError ? new InputError(error.message, {}, { cause: error }) : error;
    }
  }
  const limits = { ...frequency, ...(vocabularySize !== undefined && { maxSize: vocabularySize }) };
  if (type === 'character') return CharacterTokenizer.train(texts, limits);
  if (type === 'whitespace') return WordTokenizer.train(texts, { ...limits, segmentation: 'whitespace' });
  const segmentation = type === 'moses' ? 'moses' : 'words';
  return WordTokenizer.train(texts, { ...limits, segmentation, ...(language !== undefined && { locale: language }) });
}

interface LineCommandOptions {
  readonly onInvalid?: DefectPolicy;
  readonly maxLineBytes?: number;
  readonly quiet?: boolean;
  readonly json?: boolean;
}

/** The lines of a file, counted on a terminal unless that is where the output goes too. */
function linesOf(file: string, { onInvalid, maxLineBytes, quiet, json }: LineCommandOptions, output: boolean) {
  const reading = showReading([file], { noun: 'lines', quiet: quiet || json || (output && process.stdout.isTTY) });
  const limits = { ...(onInvalid && { onInvalid }), ...(maxLineBytes && { maxLineBytes }) };
  return reading.count(openLines(file, { ...limits, onRead: reading.onRead }));
}

async function encode(file: string, options: LineCommandOptions & { readonly ids?: boolean }): Promise<void> {
  const tokenizer = await readTokenizer(file);
  for await (const line of linesOf('-', options, true)) {
    const { ids, tokens, offsets } = tokenizer.encode(line);
    const text = options.json
      ? JSON.stringify({ ids: Array.from(ids), tokens, offsets })
      : (options.ids ? Array.from(ids) : tokens).join(' ');
    await writeLine(text);
  }
}

async function decode(file: string, options: LineCommandOptions): Promise<void> {
  const tokenizer = await readTokenizer(file);
  let number = 0;
  for await (const line of linesOf('-', options, true)) {
    number++;
    const ids = readIds(line);
    const bad = ids.find((id) => !Number.isInteger(id) || id < 0 || id >= tokenizer.size);
    if (bad !== undefined) {
      const shown = line.length > 60 ? `${line.slice(0, 60)}…` : line;
      throw new InputError(`ids must be whole numbers in [0, ${tokenizer.size}); got ${JSON.stringify(shown)}`, {
        file: 'standard input',
        line: number,
      });
    }
    const text = tokenizer.decode(ids);
    await writeLine(options.json ? JSON.stringify({ text }) : text);
  }
}

/** Waits while a reader is slow, so that what is not read yet does not pile up in memory. */
async function writeLine(text: string): Promise<void> {
  if (!process.stdout.write(`${text}\n`) && process.stdout.writableNeedDrain) await once(process.stdout, 'drain');
}

async function inspect(file: string, options: LineCommandOptions & { readonly text?: string }): Promise<void> {
  const tokenizer = await readTokenizer(file);
  const { model } = tokenizer.toJSON();
  const longest = [...tokenizer.vocabulary.tokens].sort((a, b) => b.length - a.length).slice(0, 10);
  const cut =
    options.text === undefined ? undefined : await measureTokenizer(tokenizer, linesOf(options.text, options, false));
  const facts = { file, model: model.type, size: tokenizer.size, longest, ...(cut !== undefined && { text: cut }) };
  const lines = [
    `${file}: ${model.type}, ${tokenizer.size} pieces`,
    `first pieces: ${tokenizer.vocabulary.tokens.slice(0, 12).join(' ')}`,
    `longest pieces: ${longest.join(' ')}`,
    ...(cut === undefined
      ? []
      : [
          `${options.text}: ${cut.texts} lines, ${cut.pieces} pieces, ${cut.piecesPerWord.toFixed(2)} a word, ` +
            `${cut.longest} in the longest line, ${(100 * cut.unknownShare).toFixed(2)} % unknown`,
        ]),
  ];
  print(options, facts, lines.join('\n'));
}

/** Ids separated by spaces or commas, or a JSON list of them; NaN for what is none. */
function readIds(line: string): number[] {
  const list = /^\s*\[(.*)\]\s*$/.exec(line)?.[1] ?? line;
  return list
    .split(/[\s,]+/)
    .filter((part) => part !== '')
    .map(Number);
}

function isLanguageTag(tag: string): boolean {
  try {
    return Intl.getCanonicalLocales(tag).length === 1;
  } catch {
    return false;
  }
}

/** @throws InputError for a folder; TokenizerFileError if the file is no tokenizer. */
async function readTokenizer(file: string): Promise<Tokenizer> {
  if ((await stat(file)).isDirectory())
    throw new InputError('this is a folder; give the tokenizer.json in it', { file });
  const text = await readFile(file, 'utf8');
  try {
    return tokenizerFromJSON(text);
  } catch (error) {
    throw error instanceof TokenizerFileError ? error.in(file) : error;
  }
}

function print(options: { readonly json?: boolean }, value: unknown, text: string): void {
  process.stdout.write(`${options.json ? JSON.stringify(value, null, 2) : text}\n`);
}
