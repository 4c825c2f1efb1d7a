import { CorpusError } from './corpus-error.js';

/**
 * Where bytes come from: a Blob or File, bytes in memory, a stream that can be read once, or a function that opens a
 * stream anew (what a corpus needs to be read more than once).
 */
export type ByteSource = Blob | Uint8Array | AsyncIterable<Uint8Array> | (() => AsyncIterable<Uint8Array>);

const gzipMagic = [0x1f, 0x8b] as const;

/** Opens a source for one pass; gzip is recognised by its first two bytes, whatever the file's name. */
export async function* openBytes(source: ByteSource, file: string): AsyncGenerator<Uint8Array, void, undefined> {
  const chunks = chunksOf(source, file)[Symbol.asyncIterator]();
  const head = await nextFilled(chunks);
  if (head === undefined) return;
  const rest = resume(head, chunks);
  if (head[0] === gzipMagic[0] && (head.length === 1 || head[1] === gzipMagic[1])) {
    yield* gunzip(rest, file);
  } else {
    yield* rest;
  }
}

function chunksOf(source: ByteSource, file: string): AsyncIterable<Uint8Array> {
  if (typeof source === 'function') return source();
  if (source instanceof Uint8Array) return single(source);
  if (source instanceof Blob) return readStream(source.stream());
  if (spent.has(source)) {
    throw new Error(`${file}: a stream can be read once; give a function that opens it anew, or a Blob`);
  }
  spent.add(source);
  return source;
}

// Read a second time, most streams would pass for empty.
const spent = new WeakSet<object>();

async function* single(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}

async function nextFilled(chunks: AsyncIterator<Uint8Array>): Promise<Uint8Array | undefined> {
  for (;;) {
    const { done, value } = await chunks.next();
    if (done) return undefined;
    if (value.length > 0) return value;
  }
}

async function* resume(head: Uint8Array, chunks: AsyncIterator<Uint8Array>): AsyncGenerator<Uint8Array> {
  try {
    yield head;
    for (let next = await chunks.next(); !next.done; next = await chunks.next()) yield next.value;
  } finally {
    await chunks.return?.();
  }
}

// Not every browser's ReadableStream is async iterable.
async function* readStream(stream: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array> {
  const reader = stream.getReader();
  try {
    for (let next = await reader.read(); !next.done; next = await reader.read()) yield next.value;
  } finally {
    await reader.cancel();
  }
}

async function* gunzip(chunks: AsyncGenerator<Uint8Array>, file: string): AsyncGenerator<Uint8Array> {
  const compressed = new ReadableStream<Uint8Array<ArrayBuffer>>({
    async pull(controller) {
      const { done, value } = await chunks.next();
      if (done) controller.close();
      // A copy, since the decompressor reads it later and a stream may reuse its chunk.
      else controller.enqueue(value.slice());
    },
    async cancel() {
      await chunks.return(undefined);
    },
  });
  try {
    yield* readStream(compressed.pipeThrough(new DecompressionStream('gzip')));
  } catch (cause) {
    if (cause instanceof CorpusError) throw cause;
    throw new CorpusError({ file }, 'the gzip data is damaged or cut short', { cause });
  }
}
