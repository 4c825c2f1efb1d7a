import { exitCode, InterruptedError } from './errors.js';

// A terminal signals every process of the group, and package managers pass signals on: one Ctrl-C may arrive twice.
const sameKeypress = 1000;

/**
 * Runs work that SIGINT or SIGTERM asks to stop through an abort signal; a second one ends the process at once.
 *
 * @throws InterruptedError when it was stopped, with what `describe` says.
 */
export async function withSignals<Result>(
  work: (signal: AbortSignal) => Promise<Result>,
  describe: () => string = () => 'stopped',
): Promise<Result> {
  const controller = new AbortController();
  let first = 0;
  const stop = () => {
    if (!controller.signal.aborted) {
      first = Date.now();
      controller.abort();
    } else if (Date.now() - first > sameKeypress) process.exit(exitCode.interrupted);
  };
  process.on('SIGINT', stop).on('SIGTERM', stop);
  try {
    const result = await work(controller.signal);
    if (controller.signal.aborted) throw new InterruptedError(describe());
    return result;
  } finally {
    process.off('SIGINT', stop).off('SIGTERM', stop);
  }
}
