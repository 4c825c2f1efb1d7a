import { existsSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import path from 'node:path';
import { Command, Option } from 'commander';
import type { ResolvedConfig } from '../config/load-config.js';
import type { Override } from '../config/overrides.js';
import { describeError, InputError, StoppedError } from '../errors.js';
import { withSignals } from '../interrupt.js';
import { createView } from '../progress/create-view.js';
import { clock } from '../progress/view.js';
import { collect, positiveNumber, wholeNumber } from './arguments.js';

interface TrainFlags {
  readonly data?: string;
  readonly direction?: string;
  readonly out?: string;
  readonly workers?: number;
  readonly maxMinutes?: number;
  readonly set?: string[];
  readonly resume?: boolean;
  readonly overwrite?: boolean;
  readonly quiet?: boolean;
  readonly log?: 'json' | 'text';
}

export function trainCommand(): Command {
  return new Command('train')
    .description('train a model as a config file says (docs/config.md; recipes/ has some that run)')
    .argument('<config>', 'a YAML or JSON file')
    .option('--data <path>', 'a file of pairs, or a folder with train, valid and test')
    .option('--direction <pair>', 'source and target, such as zh-en')
    .option('--out <folder>', 'folder of the run (default: runs/NAME)')
    .option('--workers <n>', 'threads (default: one a core)', wholeNumber(1))
    .option('--max-minutes <n>', 'stop after so much time', positiveNumber)
    .option('--set <key=value>', 'set any key of the config; may be repeated', collect)
    .option('--resume', 'go on with a stopped run, bit for bit')
    .option('--overwrite', 'start anew where a run already is')
    .option('--quiet', 'no progress')
    .addOption(
      new Option('--log <kind>', 'json: one JSON object a line on standard output; text: plain lines').choices([
        'json',
        'text',
      ]),
    )
    .action(trainAction);
}

async function trainAction(file: string, flags: TrainFlags): Promise<void> {
  if (flags.resume && flags.overwrite) throw new InputError('--resume and --overwrite exclude each other');
  const { loadRunConfig } = await import('../config/load-config.js');
  const loaded = await loadRunConfig(file, await overridesOf(flags));
  const config =
    flags.resume && isOwnRecipe(file, flags, loaded) ? { ...loaded, out: path.dirname(path.resolve(file)) } : loaded;
  const [{ prepareRun }, { trainRun }, { findResumePoint }, { writeReport }] = await Promise.all([
    import('../training/prepare-run.js'),
    import('../training/train-run.js'),
    import('../training/resume-run.js'),
    import('../report/write-report.js'),
  ]);
  const view = createView(flags);
  try {
    const resume = flags.resume ? await findResumePoint(config.out) : undefined;
    const stoppedEarly = flags.resume === true && resume === undefined;
    if (stoppedEarly) view.note(tooEarly, { type: 'note', text: tooEarly });
    if (resume === undefined) await makeRoom(config, stoppedEarly || (flags.overwrite ?? false));
    const run = await prepareRun(config, config.training.workers ?? availableParallelism(), resume);
    for (const note of run.notes) view.note(note, { type: 'note', text: note });
    await withSignals(
      async (signal) => {
        const { metrics, reason } = await trainRun(run, view, signal).catch((error: unknown) =>
          offerToGoOn(error, config),
        );
        await writeReport([config.out]);
        if (signal.aborted) return;
        const summary = `${describeResult(metrics)}\n${config.out}: the model, metrics.json, report.html`;
        view.note(summary, { type: 'done', reason, ...metrics, out: config.out });
      },
      () => `stopped and saved; to go on: ${goOn(config)}`,
    );
  } finally {
    view.close();
  }
}

const tooEarly = 'the run was stopped before its first checkpoint; it starts anew';

/** Says with the error what is left of the run. */
async function offerToGoOn(error: unknown, config: ResolvedConfig): Promise<never> {
  const [{ latestCheckpoint }, { folder }] = await Promise.all([
    import('@seqloom/seq2seq'),
    import('@seqloom/seq2seq/node'),
  ]);
  const found = await latestCheckpoint(folder(config.out)).catch(() => null);
  if (found === null || !(error instanceof Error)) throw error;
  const rule = describeError(error, false).replace(/[.]?$/, '');
  const diverged = error.name === 'TrainingDiverged';
  const change = diverged ? ` --set training.optimizer.learningRate=${config.training.optimizer.learningRate / 2}` : '';
  throw new StoppedError(`${rule}; ${found.name} is whole, to go on from it: ${goOn(config)}${change}`, {
    cause: error,
  });
}

function goOn({ out }: ResolvedConfig): string {
  return `seqloom train ${quoted(path.join(out, 'recipe.yaml'))} --resume`;
}

/** A run's own recipe.yaml, which is resumed where it lies, wherever it was moved; not a config that is called so by chance. */
function isOwnRecipe(file: string, flags: TrainFlags, { out }: ResolvedConfig): boolean {
  if (flags.out !== undefined || path.basename(file) !== 'recipe.yaml') return false;
  return existsSync(path.join(path.dirname(file), 'training')) || !existsSync(path.join(out, 'training'));
}

function quoted(file: string): string {
  return /^[\w./@%+:,=-]+$/.test(file) ? file : `'${file.replaceAll("'", "'\\''")}'`;
}

async function overridesOf(flags: TrainFlags): Promise<Override[]> {
  const [{ dataOverrides }, { parseOverride }] = await Promise.all([
    import('../config/load-config.js'),
    import('../config/overrides.js'),
  ]);
  const set = (given: unknown, flag: string, ...at: string[]): Override[] =>
    given === undefined ? [] : [{ path: at, value: given, flag: `${flag} ${String(given)}` }];
  return [
    ...(flags.data === undefined ? [] : await dataOverrides(flags.data)),
    ...set(flags.direction, '--direction', 'data', 'direction'),
    ...set(flags.out === undefined ? undefined : path.resolve(flags.out), '--out', 'out'),
    ...set(flags.workers, '--workers', 'training', 'workers'),
    ...set(flags.maxMinutes, '--max-minutes', 'training', 'maxMinutes'),
    ...(flags.set ?? []).map(parseOverride),
  ];
}

/** A run's folder is never mixed with another run's. */
async function makeRoom({ out }: ResolvedConfig, overwrite: boolean): Promise<void> {
  if (!existsSync(path.join(out, 'training')) && !existsSync(path.join(out, 'config.json'))) return;
  if (!overwrite)
    throw new InputError('a run is here already; --resume goes on with it, --overwrite starts anew', { file: out });
  for (const name of [
    'training',
    'config.json',
    'model.safetensors',
    'tokenizer.source.json',
    'tokenizer.target.json',
    'metrics.json',
    'recipe.yaml',
    'report.html',
  ]) {
    await rm(path.join(out, name), { recursive: true, force: true });
  }
}

function describeResult(metrics: { readonly seconds: number; readonly tokensPerSecond: number }): string {
  const parts = Object.entries(metrics).flatMap(([name, part]) => {
    if (typeof part !== 'object') return [];
    const scores = Object.entries(part as Record<string, unknown>).filter(
      (entry): entry is [string, number] => typeof entry[1] === 'number',
    );
    return [
      `${name}: ${scores.map(([score, value]) => `${score} ${value.toFixed(score === 'loss' ? 4 : 2)}`).join(' · ')}`,
    ];
  });
  return [
    ...parts,
    `trained ${clock(metrics.seconds)} at ${Math.round(metrics.tokensPerSecond).toLocaleString('en')} target tokens/s`,
  ].join('\n');
}
