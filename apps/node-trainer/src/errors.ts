/** How the process ends. Documented in docs/cli.md. */
export const exitCode = { success: 0, failure: 1, badInput: 2, interrupted: 130 } as const;

/** Where in a file something is wrong; lines count from 1. */
export interface Place {
  readonly file?: string | undefined;
  readonly line?: number | undefined;
}

/** What the user gave cannot be used: one sentence that names the place and the rule. The process exits with 2. */
export class InputError extends Error {
  override readonly name = 'InputError';

  constructor(rule: string, place: Place = {}, options?: ErrorOptions) {
    const { file, line } = place;
    const where = [file, line === undefined ? undefined : `line ${line}`]
      .filter((part) => part !== undefined)
      .join(', ');
    super(where === '' ? rule : `${where}: ${rule}`, options);
  }
}

/** A run could not go on; `message` also says from where it can. The process exits with 1. */
export class StoppedError extends Error {
  override readonly name = 'StoppedError';
}

/** A signal stopped the work; `message` says what was kept and how to go on. The process exits with 130. */
export class InterruptedError extends Error {
  override readonly name = 'InterruptedError';
}

// Errors of the packages that are about what the user gave, by name: the packages are not imported just to ask.
const inputErrorNames = new Set(['InputError', 'CorpusError', 'TokenizerFileError', 'ModelFileError', 'ConfigError']);

// The path is wrong, not the machine.
const inputErrorCodes = new Set(['ENOENT', 'EISDIR', 'ENOTDIR', 'EEXIST']);

function systemCode(error: Error): string | undefined {
  const { code, cause } = error as NodeJS.ErrnoException;
  return code ?? (cause instanceof Error ? (cause as NodeJS.ErrnoException).code : undefined);
}

export function exitCodeOf(error: unknown): number {
  if (!(error instanceof Error)) return exitCode.failure;
  if (error instanceof InterruptedError) return exitCode.interrupted;
  if (error instanceof StoppedError) return exitCode.failure;
  if (inputErrorNames.has(error.name)) return exitCode.badInput;
  return inputErrorCodes.has(systemCode(error) ?? '') ? exitCode.badInput : exitCode.failure;
}

/** One line for the terminal, or the stack where it was asked for. */
export function describeError(error: unknown, debug: boolean): string {
  if (!(error instanceof Error)) return String(error);
  if (debug) return stackOf(error);
  return systemReason(error) ?? error.message.replaceAll(/\s*\n\s*/g, ' ');
}

function stackOf(error: Error): string {
  const stack = error.stack ?? error.message;
  return error.cause instanceof Error ? `${stack}\ncaused by ${stackOf(error.cause)}` : stack;
}

function systemReason(error: NodeJS.ErrnoException): string | undefined {
  const { path } = error;
  if (path === undefined) return undefined;
  switch (error.code) {
    case 'ENOENT':
      return `${path}: ${error.syscall === 'mkdir' ? 'no folder can be made there' : 'there is no such file or folder'}`;
    case 'EACCES':
    case 'EPERM':
      return `${path}: no permission to ${error.syscall === 'open' ? 'open' : 'write'} it`;
    case 'EROFS':
      return `${path}: the file system is read-only`;
    case 'ENOSPC':
      return `${path}: no space is left on the disk; what was there before is kept`;
    case 'EISDIR':
      return `${path}: this is a folder, not a file`;
    case 'ENOTDIR':
    case 'EEXIST':
      return `${path}: a file stands where a folder must be`;
    default:
      return undefined;
  }
}
