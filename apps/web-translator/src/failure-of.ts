import { ModelFolderError, TrainingDiverged } from '@seqloom/seq2seq';
import { type Failure, FailureError, messageOf } from './failure.js';

/**
 * What an error in a worker comes to.
 *
 * @param otherwise what an error comes to that is not known by its class, from what it says
 */
export function failureOf(
  error: unknown,
  otherwise: (said: string) => Failure = (said) => ({ code: 'unexpected', said }),
): Failure {
  if (error instanceof FailureError) return error.failure;
  if (error instanceof ModelFolderError) return { code: 'bad-folder', about: error.about };
  if (error instanceof TrainingDiverged) return { code: 'diverged', step: error.step, loss: error.loss };
  const said = messageOf(error);
  // Memory that is not to be had is a RangeError, ours and the browser's.
  if (error instanceof RangeError || error instanceof WebAssembly.RuntimeError) return { code: 'exhausted', said };
  return otherwise(said);
}
