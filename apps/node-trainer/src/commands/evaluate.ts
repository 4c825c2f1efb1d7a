import { existsSync } from 'node:fs';
import path from 'node:path';
import { Command } from 'commander';
import type { Override } from '../config/overrides.js';
import type { RunConfig } from '../config/run-config.js';
import type { TextPair } from '../data/load-data.js';
import { InputError } from '../errors.js';
import { type ScoreName, scoreNames } from '../scores.js';
import type { Measured } from '../training/measure.js';
import { collect, commaList } from './arguments.js';
import { type SearchFlags, searchOptions, withSearchFlags } from './translate.js';

interface EvaluateFlags extends SearchFlags {
  readonly model: string;
  readonly data?: string;
  readonly metrics?: ScoreName[];
  readonly columns?: string;
  readonly direction?: string;
  readonly set?: string[];
  readonly output?: string;
  readonly json?: boolean;
}

export function evaluateCommand(): Command {
  const command = new Command('evaluate')
    .description(
      'score a model on pairs: loss and accuracy with the true words given, and scores of its own translations',
    )
    .argument('[file]', 'pairs (default: the test part of the run, else its valid part)')
    .argument('[target]', 'the target side, where FILE is the source side')
    .requiredOption('--model <folder>', 'a model folder');
  return withSearchFlags(command)
    .option('--data <file>', 'the same as FILE')
    .option('--metrics <names>', `${scoreNames.join(', ')} (default: those of the run)`, commaList(scoreNames))
    .option('--columns <names>', 'names or numbers of the columns (default: as in training)')
    .option('--direction <pair>', 'which is the source and which the target (default: as in training)')
    .option('--set <key=value>', 'set a key of the run’s config, such as validation.lowercase=true', collect)
    .option('--output <file>', 'write the translations, one a line')
    .option('--json', 'print JSON')
    .action(evaluate);
}

async function evaluate(file: string | undefined, target: string | undefined, flags: EvaluateFlags): Promise<void> {
  const [{ openModelFolder }, { encodePart }, { measure, scoreSettings }] = await Promise.all([
    import('../run/model-folder.js'),
    import('../training/encoded-data.js'),
    import('../training/measure.js'),
  ]);
  const { model, codec, search } = await openModelFolder(flags.model, flags.precision ?? 'float32');
  const config = await runConfigOf(flags);
  const pairs = await pairsOf(config, file ?? flags.data, target);
  const part = encodePart(pairs, codec);
  if (part.tooLong > 0)
    process.stderr.write(
      `warning: ${part.tooLong} pairs count in scores, but not in the loss: more than ${codec.maxPieces} pieces on a side\n`,
    );
  const names = flags.metrics ?? config.validation.scores;
  const start = performance.now();
  const measured = await measure(model, codec, part, {
    scores: names,
    settings: scoreSettings(config, codec.target.language),
    search: searchOptions(search, flags),
    variants: config.validation.variants,
    references: config.validation.references,
    samples: 0,
  });
  if (flags.output !== undefined) {
    const { writeFileAtomic } = await import('../run/write-file.js');
    await writeFileAtomic(
      flags.output,
      measured.translations.map((text) => `${text.replaceAll(/[\r\n]+/g, ' ')}\n`).join(''),
    );
  }
  const seconds = (performance.now() - start) / 1000;
  process.stdout.write(flags.json ? toJson(measured, seconds) : toText(measured, seconds));
}

/** The config that the model was trained with, where it is still beside it. */
async function runConfigOf(flags: EvaluateFlags): Promise<RunConfig> {
  const [{ loadRunConfig }, { applyOverrides, parseOverride }, { runConfigSchema }] = await Promise.all([
    import('../config/load-config.js'),
    import('../config/overrides.js'),
    import('../config/run-config.js'),
  ]);
  const columns = flags.columns?.split(',').map((name) => (/^\d+$/.test(name) ? Number(name) : name.trim()));
  const given = [
    ...(columns === undefined
      ? []
      : [{ path: ['data', 'columns'], value: columns, flag: `--columns ${flags.columns}` }]),
    ...(flags.direction === undefined
      ? []
      : [{ path: ['data', 'direction'], value: flags.direction, flag: `--direction ${flags.direction}` }]),
  ] satisfies Override[];
  const overrides = [...given, ...(flags.set ?? []).map(parseOverride)];
  const recipe = path.join(flags.model, 'recipe.yaml');
  if (existsSync(recipe)) return loadRunConfig(recipe, overrides);
  return runConfigSchema.parse(applyOverrides({}, overrides));
}

async function pairsOf(
  config: RunConfig,
  file: string | undefined,
  target: string | undefined,
): Promise<readonly TextPair[]> {
  const { loadData, readPart } = await import('../data/load-data.js');
  if (file !== undefined) {
    const notes: string[] = [];
    const pairs = await readPart(target === undefined ? file : { source: file, target }, config.data, false, notes);
    for (const note of notes) process.stderr.write(`${note}\n`);
    return pairs;
  }
  if (config.data.corpus === null && config.data.folder === null && config.data.train === null) {
    throw new InputError('evaluate: which pairs? Say seqloom evaluate --model FOLDER FILE');
  }
  const { test, valid } = await loadData(config);
  if (test.length + valid.length === 0) throw new InputError('the run has no test or valid part; name a file of pairs');
  return test.length > 0 ? test : valid;
}

function toJson({ loss, accuracy, scores, items }: Measured, seconds: number): string {
  const plain = Object.fromEntries(Object.entries(scores).map(([name, { score }]) => [name, score]));
  const signatures = Object.fromEntries(Object.entries(scores).map(([name, { signature }]) => [name, signature]));
  return `${JSON.stringify({ items: items.length, loss, perplexity: Math.exp(loss), accuracy, ...plain, signatures, seconds }, null, 2)}\n`;
}

function toText({ loss, accuracy, scores, items }: Measured, seconds: number): string {
  const rows = Object.entries(scores).map(([name, { score, signature }]) =>
    `${name} ${score.toFixed(2)}  ${signature ?? ''}`.trimEnd(),
  );
  return `${[
    `${items.length} items in ${seconds.toFixed(1)} s`,
    `loss ${loss.toFixed(4)} a token, perplexity ${Math.exp(loss).toFixed(2)}, token accuracy ${accuracy.toFixed(2)} % (the true words before given)`,
    ...rows,
  ].join('\n')}\n`;
}
