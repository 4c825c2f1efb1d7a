import { InterruptedError } from './errors.js';

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
  const stop = () => {
    if (controller.signal.aborted) process.exit(130);
    controller.abort();
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
