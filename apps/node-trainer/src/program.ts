import { readFileSync } from 'node:fs';
import { Command, CommanderError } from 'commander';
import { averageCommand } from './commands/average.js';
import { corpusCommand } from './commands/corpus.js';
import { evaluateCommand } from './commands/evaluate.js';
import { exportCommand } from './commands/export.js';
import { importCommand } from './commands/import.js';
import { inspectCommand } from './commands/inspect.js';
import { reportCommand } from './commands/report.js';
import { scoreCommand } from './commands/score.js';
import { serveCommand } from './commands/serve.js';
import { tokenizerCommand } from './commands/tokenizer.js';
import { trainCommand } from './commands/train.js';
import { translateCommand } from './commands/translate.js';
import { describeError, exitCode, exitCodeOf } from './errors.js';

/** The command line as commander describes it. Commands load what is heavy (tfjs, kernels) when they run. */
export function createProgram(): Command {
  const program = new Command('seqloom')
    .description('Train, translate with and score attention Seq2Seq models on WebAssembly SIMD')
    .version(packageVersion())
    .option('--debug', 'show the stack of an error')
    .showSuggestionAfterError()
    .addHelpText(
      'after',
      '\nExit codes: 0 done, 1 failed while running, 2 the input or the command line is wrong, 130 stopped by a signal',
    );
  for (const command of [
    trainCommand(),
    translateCommand(),
    evaluateCommand(),
    inspectCommand(),
    reportCommand(),
    averageCommand(),
    exportCommand(),
    importCommand(),
    serveCommand(),
    scoreCommand(),
    tokenizerCommand(),
    corpusCommand(),
  ])
    program.addCommand(command);
  for (const command of withSubcommands(program)) command.exitOverride().configureOutput({ outputError: () => {} });
  return program;
}

/** Runs one command and returns the exit code; an error is one line on standard error. */
export async function run(args: readonly string[]): Promise<number> {
  // `seqloom translate | head` closes the pipe early, which is no error.
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') process.exit(exitCode.success);
    throw error;
  });
  try {
    await createProgram().parseAsync(args, { from: 'user' });
    return exitCode.success;
  } catch (error) {
    if (error instanceof CommanderError && error.exitCode === 0) return exitCode.success;
    const usage = error instanceof CommanderError;
    const text = usage
      ? error.message.replace(/^error: /, '').replaceAll('\n', ' ')
      : describeError(error, args.includes('--debug'));
    if (text !== '(outputHelp)') process.stderr.write(`seqloom: ${text}\n`);
    return usage ? exitCode.badInput : exitCodeOf(error);
  }
}

function withSubcommands(command: Command): Command[] {
  return [command, ...command.commands.flatMap(withSubcommands)];
}

function packageVersion(): string {
  const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as {
    version: string;
  };
  return version;
}
