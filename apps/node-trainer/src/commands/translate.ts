import path from 'node:path';
import { openLines } from '@seqloom/data-tokenizer/node';
import type { SearchOptions } from '@seqloom/seq2seq';
import type { Precision } from '@seqloom/tensor-ops';
import { Command, InvalidArgumentError, Option } from 'commander';
import { type AttentionMap, attentionMapToJson } from '../attention-map/attention-map.js';
import { InputError } from '../errors.js';
import { withSignals } from '../interrupt.js';
import { lineBatches } from '../text/line-batches.js';
import type { TranslatedText, Translation, TranslatorOptions } from '../text/translator.js';
import { collect, positiveNumber, wholeNumber } from './arguments.js';

export interface SearchFlags {
  readonly precision?: Precision;
  readonly beam?: number;
  readonly maxLength?: number;
  readonly lengthPenalty?: 'none' | 'average' | 'gnmt';
  readonly lengthAlpha?: number;
}

interface TranslateOptions extends SearchFlags {
  readonly model: string[];
  readonly nbest: number;
  readonly json?: boolean;
  readonly attention?: string;
  readonly replaceUnknown?: boolean;
  readonly batch: number;
}

const drawings = ['.svg', '.png', '.html', '.json'];

export function translateCommand(): Command {
  const command = new Command('translate')
    .description('translate standard input line by line: one line out for each line in, blank ones stay blank')
    .requiredOption('--model <folder>', 'a model folder; given several times, an ensemble', collect);
  return withSearchFlags(command)
    .option('--nbest <n>', 'translations a line, best first: separated by tabs, or as JSON', wholeNumber(1), 1)
    .option(
      '--replace-unknown',
      'put the source’s own word where the model says <unk> (default: where the model copies)',
    )
    .option('--attention <file>', 'draw what the model looked at: .svg, .png, .html or .json', drawingFile)
    .option('--batch <n>', 'lines translated side by side', wholeNumber(1), 32)
    .option('--json', 'one JSON object a line: translation, scores, pieces, attention')
    .action(translate);
}

export function withSearchFlags(command: Command): Command {
  return command
    .option(
      '--beam <n>',
      'hypotheses kept at every step; 1 is greedy (default: as the model was trained to)',
      wholeNumber(1),
    )
    .option('--max-length <n>', 'most pieces of a translation (default: 3 × source + 20)', wholeNumber(1))
    .addOption(
      new Option('--length-penalty <name>', 'how hypotheses of different lengths compare').choices([
        'none',
        'average',
        'gnmt',
      ]),
    )
    .option('--length-alpha <x>', 'its exponent', positiveNumber)
    .addOption(
      new Option(
        '--precision <name>',
        'int8: the output layer in 8 bits, faster and nearly the same (default: float32)',
      ).choices(['float32', 'int8']),
    );
}

/** The model's own search settings with those of the command line put in. */
export function searchOptions(own: SearchOptions, flags: SearchFlags): SearchOptions {
  const { beam, maxLength, lengthPenalty, lengthAlpha } = flags;
  const merged = {
    ...own,
    ...(beam !== undefined && { beam }),
    ...(maxLength !== undefined && { maxLength }),
    ...(lengthPenalty !== undefined && { lengthPenalty }),
    ...(lengthAlpha !== undefined && { lengthAlpha }),
  };
  if (merged.beam === 1) delete merged.earlyStopping;
  return merged;
}

async function translate(options: TranslateOptions): Promise<void> {
  const { openTranslator } = await import('../run/model-folder.js');
  const translator = await openTranslator(options.model, options.precision);
  const { beam = translator.search.beam ?? 1 } = options;
  const settings: TranslatorOptions = {
    ...searchOptions(translator.search, { ...options, beam: Math.max(beam, options.nbest) }),
    nBest: options.nbest,
    ...(options.replaceUnknown !== undefined && { replaceUnknown: options.replaceUnknown }),
    batchSize: options.batch,
  };
  const drawn: Translation[] = [];
  let line = 0;
  await withSignals(async (signal) => {
    for await (const sources of lineBatches(openLines('-'), options.batch)) {
      const translations = await translator.translate(sources, { ...settings, signal });
      if (signal.aborted) return;
      for (const translation of translations) {
        line++;
        warn(translation, line);
        process.stdout.write(`${options.json ? toJson(translation) : toLine(translation)}\n`);
        if (options.attention !== undefined) drawn.push(translation);
      }
    }
  });
  if (options.attention !== undefined) await draw(drawn, options.attention);
}

function warn({ cut, sentences, hypotheses }: Translation, line: number): void {
  if (sentences > 1) process.stderr.write(`note: line ${line}: long, translated as ${sentences} sentences\n`);
  if (cut > 0) process.stderr.write(`warning: line ${line}: cut, ${cut} pieces at its end were not translated\n`);
  if (hypotheses[0]?.finish === 'length') {
    process.stderr.write(
      `warning: line ${line}: the translation was cut at ${hypotheses[0].tokens.length} pieces (--max-length)\n`,
    );
  }
}

function toLine({ hypotheses }: Translation): string {
  return hypotheses.map(({ text }) => oneLine(text)).join('\t');
}

// A translation never breaks the line that it answers.
function oneLine(text: string): string {
  return text.replaceAll(/[\r\n\t]+/g, ' ');
}

function toJson({ source, hypotheses, cut }: Translation): string {
  const describe = ({ attention, ...rest }: TranslatedText) => ({
    ...rest,
    attention: attention === null ? null : attentionMapToJson(attention),
  });
  const [best, ...others] = hypotheses.map(describe);
  return JSON.stringify({
    source,
    translation: best?.text ?? '',
    ...(best && {
      score: best.score,
      tokens: best.tokens,
      logProbabilities: best.logProbabilities,
      finish: best.finish,
      attention: best.attention,
    }),
    ...(others.length > 0 && { alternatives: others }),
    ...(cut > 0 && { cutPieces: cut }),
  });
}

async function draw(translations: readonly Translation[], file: string): Promise<void> {
  const { writeAttention } = await import('../attention-map/write-attention.js');
  const maps = translations.flatMap(({ source, hypotheses: [best] }) =>
    best?.attention ? [{ ...(best.attention satisfies AttentionMap), title: `${source} → ${best.text}` }] : [],
  );
  if (maps.length === 0 && translations.some(({ hypotheses }) => hypotheses.length > 0)) {
    throw new InputError('--attention: this model has no attention to draw');
  }
  await writeAttention(maps, file);
}

function drawingFile(file: string): string {
  if (!drawings.includes(path.extname(file).toLowerCase()))
    throw new InvalidArgumentError(`It must end in ${drawings.join(', ')}.`);
  return file;
}
