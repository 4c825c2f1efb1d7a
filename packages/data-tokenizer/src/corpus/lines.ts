import { type ByteSource, openBytes } from './byte-source.js';
import { CorpusError } from './corpus-error.js';
import { explainInvalidBytes, explainNul } from './encoding.js';
import { firstInvalidUtf8 } from './utf8.js';

/** What is done with a line that is not clean text: stop, leave it out, or put U+FFFD where the bad bytes are. */
export type DefectPolicy = 'error' | 'skip' | 'replace';

/** Why a line is not clean text. */
export type LineDefect = 'invalid-utf8' | 'nul' | 'line-too-long';

/** How lines are read. */
export interface LineOptions {
  /** Name of the file in messages. */
  readonly name?: string;
  /** Default `error`. */
  readonly onInvalid?: DefectPolicy;
  /** Longest line in bytes, which bounds the memory of reading; default 1 MiB. Longer ones are an error, or skipped. */
  readonly maxLineBytes?: number;
  /** Called for each line that was skipped or mended. */
  readonly onDefect?: (defect: LineDefect, line: number) => void;
}

/** Consecutive lines of a file; `null` stands for one that was skipped, so that numbers stay right. */
export interface LineBlock {
  /** Number of the first line, from 1. */
  readonly first: number;
  readonly lines: (string | null)[];
}

const LF = 10;
const CR = 13;

/**
 * The lines of UTF-8 text, without their ends, in a bounded buffer. LF, CRLF and CR end a line (U+2028, U+2029, NEL, VT
 * and FF do not), a byte order mark at the start is dropped, gzip is unpacked.
 *
 * @throws CorpusError for NUL or invalid UTF-8 under the policy `error`, for an over-long line unless the policy is
 *   `skip`, for UTF-16, for damaged gzip.
 */
export async function* readLines(
  source: ByteSource,
  options: LineOptions = {},
): AsyncGenerator<string, void, undefined> {
  for await (const block of readLineBlocks(source, options)) {
    for (const line of block.lines) if (line !== null) yield line;
  }
}

/** {@link readLines} by blocks, with numbers: one step of asynchrony for a few thousand lines, not for each. */
export async function* readLineBlocks(
  source: ByteSource,
  options: LineOptions = {},
): AsyncGenerator<LineBlock, void, undefined> {
  const decoder = new LineDecoder(options);
  const splitter = new LineSplitter(options.maxLineBytes ?? 1 << 20);
  let number = 1;
  for await (const chunk of openBytes(source, options.name ?? 'input')) {
    const pieces = splitter.push(chunk);
    if (pieces.length === 0) continue;
    const first = number;
    yield { first, lines: pieces.map((bytes) => decoder.decode(bytes, number++, chunk)) };
  }
  const last = splitter.end();
  if (last === undefined) return;
  const text = decoder.decode(last, number, undefined);
  // An unfinished line of nothing is a byte order mark that was alone in its file.
  if (text !== '') yield { first: number, lines: [text] };
}

/** Cuts chunks of bytes into lines; keeps no more than one line. `null` is a line that was too long to keep. */
class LineSplitter {
  readonly #limit: number;
  #parts: Uint8Array[] = [];
  #length = 0;
  #afterCr = false;

  constructor(limit: number) {
    this.#limit = limit;
  }

  push(chunk: Uint8Array): (Uint8Array | null)[] {
    const lines: (Uint8Array | null)[] = [];
    let start = 0;
    if (this.#afterCr && chunk.length > 0) {
      if (chunk[0] === LF) start = 1;
      this.#afterCr = false;
    }
    let lf = chunk.indexOf(LF, start);
    let cr = chunk.indexOf(CR, start);
    while (lf !== -1 || cr !== -1) {
      const end = cr === -1 || (lf !== -1 && lf < cr) ? lf : cr;
      lines.push(this.#take(chunk.subarray(start, end)));
      start = end + 1;
      if (end === cr) {
        if (start === chunk.length) this.#afterCr = true;
        else if (chunk[start] === LF) start++;
        cr = chunk.indexOf(CR, start);
      }
      if (lf !== -1 && lf < start) lf = chunk.indexOf(LF, start);
    }
    if (start < chunk.length) this.#keep(chunk.subarray(start));
    return lines;
  }

  end(): Uint8Array | null | undefined {
    return this.#length > 0 ? this.#take(new Uint8Array(0)) : undefined;
  }

  #keep(bytes: Uint8Array): void {
    this.#length += bytes.length;
    // A copy, since a stream may reuse its chunk. Of a line that is too long, only the length matters.
    if (this.#length <= this.#limit) this.#parts.push(bytes.slice());
    else this.#parts = [];
  }

  #take(tail: Uint8Array): Uint8Array | null {
    const length = this.#length + tail.length;
    const parts = this.#parts;
    this.#parts = [];
    this.#length = 0;
    if (length > this.#limit) return null;
    if (length === tail.length) return tail;
    const line = new Uint8Array(length);
    let at = 0;
    for (const part of parts) {
      line.set(part, at);
      at += part.length;
    }
    line.set(tail, at);
    return line;
  }
}

/** Turns the bytes of one line into text under a policy for what is not clean. */
class LineDecoder {
  readonly #file: string;
  readonly #policy: DefectPolicy;
  readonly #limit: number;
  readonly #onDefect: LineOptions['onDefect'];
  // ignoreBOM, or every line that begins with U+FEFF would lose it: only the file's first is a mark.
  readonly #strict = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
  readonly #lenient = new TextDecoder('utf-8', { ignoreBOM: true });

  constructor(options: LineOptions) {
    this.#file = options.name ?? 'input';
    this.#policy = options.onInvalid ?? 'error';
    this.#limit = options.maxLineBytes ?? 1 << 20;
    this.#onDefect = options.onDefect;
  }

  /** `around` is the chunk that holds the line, from which a foreign encoding is guessed; none at the file's end. */
  decode(line: Uint8Array | null, number: number, around: Uint8Array | undefined): string | null {
    if (line === null) return this.#tooLong(number);
    const bytes = number === 1 ? this.#withoutMark(line) : line;
    let text: string;
    try {
      text = this.#strict.decode(bytes);
    } catch {
      const at = firstInvalidUtf8(bytes);
      return this.#defect('invalid-utf8', number, bytes, at, () => explainInvalidBytes(bytes, at, around));
    }
    if (!text.includes('\0')) return text;
    return this.#defect('nul', number, bytes, bytes.indexOf(0), () => explainNul(bytes));
  }

  #withoutMark(bytes: Uint8Array): Uint8Array {
    const [a, b, c] = bytes;
    if ((a === 0xff && b === 0xfe) || (a === 0xfe && b === 0xff)) {
      const encoding = a === 0xff ? 'UTF-16LE' : 'UTF-16BE';
      throw new CorpusError(
        { file: this.#file, line: 1, byte: 1 },
        `the text is UTF-16, not UTF-8; convert it first: iconv -f ${encoding} -t UTF-8`,
      );
    }
    return a === 0xef && b === 0xbb && c === 0xbf ? bytes.subarray(3) : bytes;
  }

  #tooLong(line: number): null {
    if (this.#policy !== 'skip') {
      throw new CorpusError(
        { file: this.#file, line },
        `the line is longer than ${this.#limit} bytes (maxLineBytes); is this a text file? If so, raise the limit, or choose the policy "skip"`,
      );
    }
    this.#onDefect?.('line-too-long', line);
    return null;
  }

  #defect(defect: LineDefect, line: number, bytes: Uint8Array, at: number, rule: () => string): string | null {
    if (this.#policy === 'error') throw new CorpusError({ file: this.#file, line, byte: at + 1 }, rule());
    this.#onDefect?.(defect, line);
    return this.#policy === 'skip' ? null : this.#lenient.decode(bytes).replaceAll('\0', '\uFFFD');
  }
}
