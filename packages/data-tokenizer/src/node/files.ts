import { createReadStream } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { ByteSource } from '../corpus/byte-source.js';
import { Corpus, type CorpusOptions, type ParallelSources } from '../corpus/corpus.js';
import { CorpusError } from '../corpus/corpus-error.js';
import { type LineOptions, readLines } from '../corpus/lines.js';

/** Where a file lies. */
export type PathLike = string | URL;

/** What reading a file can tell. */
export interface FileReading {
  /** Called with the number of bytes of every chunk that was read; of a packed file, its packed bytes. */
  readonly onRead?: (bytes: number) => void;
}

/** A file as a source of bytes that can be read more than once; `-` is standard input (once). */
export function openBytes(path: PathLike, { onRead }: FileReading = {}): () => AsyncIterable<Uint8Array> {
  const file = fileName(path);
  return async function* () {
    for await (const chunk of readFile(file)) {
      onRead?.(chunk.length);
      yield chunk;
    }
  };
}

/**
 * The sentence pairs of one file, or of two parallel files; `.gz` is unpacked.
 *
 * @throws CorpusError while it is iterated: no such file, or what {@link Corpus} throws.
 */
export function openCorpus<const Name extends string = never>(
  input: PathLike | ParallelSources<PathLike>,
  options: CorpusOptions<Name> & FileReading = {},
): Corpus<Name> {
  if (typeof input === 'string' || input instanceof URL) {
    return new Corpus<Name>(openBytes(input, options), { name: shownName(input), ...options });
  }
  const sources: ParallelSources<ByteSource> = {
    source: openBytes(input.source, options),
    target: openBytes(input.target, options),
  };
  return new Corpus<Name>(sources, {
    name: { source: shownName(input.source), target: shownName(input.target) },
    ...options,
  });
}

/** The lines of a file; see `readLines`. */
export function openLines(
  path: PathLike,
  options: LineOptions & FileReading = {},
): AsyncGenerator<string, void, undefined> {
  return readLines(openBytes(path, options), { name: shownName(path), ...options });
}

async function* readFile(file: string): AsyncGenerator<Uint8Array> {
  if (file === '-') {
    yield* process.stdin as AsyncIterable<Uint8Array>;
    return;
  }
  try {
    yield* createReadStream(file) as AsyncIterable<Uint8Array>;
  } catch (cause) {
    throw new CorpusError({ file }, reasonOf(cause as NodeJS.ErrnoException), { cause });
  }
}

function reasonOf(error: NodeJS.ErrnoException): string {
  switch (error.code) {
    case 'ENOENT':
      return 'there is no such file';
    case 'EISDIR':
      return 'this is a folder, not a file';
    case 'EACCES':
      return 'the file may not be read';
    default:
      return `the file cannot be read (${error.message})`;
  }
}

function shownName(path: PathLike): string {
  return path === '-' ? 'standard input' : fileName(path);
}

function fileName(path: PathLike): string {
  return typeof path === 'string' ? path : fileURLToPath(path);
}
