import type { Corpus, CorpusFormat, DefectPolicy, PairFilters } from '@seqloom/data-tokenizer';
import { openCorpus } from '@seqloom/data-tokenizer/node';
import { InputError } from '../errors.js';

/** One file of pairs, or two whose lines correspond. */
export type PairFiles = string | { readonly source: string; readonly target: string };

export interface PairOptions {
  readonly format?: CorpusFormat | undefined;
  readonly columns?: readonly (string | number)[] | undefined;
  /** `zh-en`: from the column (or file) zh to en. */
  readonly direction?: string | undefined;
  readonly onInvalid?: DefectPolicy | undefined;
  readonly header?: boolean | 'auto' | undefined;
  readonly maxLineBytes?: number | undefined;
  readonly filters?: PairFilters | undefined;
  /** Told the bytes of every chunk that was read. */
  readonly onRead?: ((bytes: number) => void) | undefined;
}

/** Opens pairs as a config or a command line describes them. */
export function openPairs(files: PairFiles, options: PairOptions): Corpus<string> {
  const [source, target] = options.direction === undefined ? [] : parseDirection(options.direction);
  const columns = options.columns ?? (source !== undefined && target !== undefined ? [source, target] : undefined);
  return asInput(() =>
    openCorpus<string>(files, {
      ...(columns !== undefined && { columns }),
      ...(source !== undefined && { source }),
      ...(target !== undefined && { target }),
      ...(options.format !== undefined && { format: options.format }),
      ...(options.onInvalid !== undefined && { onInvalid: options.onInvalid }),
      ...(options.header !== undefined && { header: options.header }),
      ...(options.maxLineBytes !== undefined && { maxLineBytes: options.maxLineBytes }),
      ...(options.filters !== undefined && { filters: options.filters }),
      ...(options.onRead !== undefined && { onRead: options.onRead }),
    }),
  );
}

/** `zh-en` → zh, en. The names themselves may hold no hyphen, as column names rarely do. */
export function parseDirection(direction: string): [source: string, target: string] {
  const [source, target, ...rest] = direction.split('-');
  if (!source || !target || rest.length > 0 || source === target) {
    throw new InputError(`the direction must be two different names such as zh-en; got "${direction}"`);
  }
  return [source, target];
}

/** The corpus' own complaints about columns and options are about what the user asked for. */
export function asInput<Result>(action: () => Result): Result {
  try {
    return action();
  } catch (error) {
    throw toInputError(error);
  }
}

export function toInputError(error: unknown): unknown {
  if (!(error instanceof Error) || !/^(openCorpus|split|batches): /.test(error.message)) return error;
  return new InputError(error.message.replace(/^\w+: /, ''), {}, { cause: error });
}
