// The header of a safetensors file: length, JSON of names, dtypes, shapes and offsets. Files are untrusted: nothing in it is
// believed before it is checked, and what is not exactly right is refused.
import { NUMBER_SIZES } from './number-formats.js';
import { parseUnique } from './unique-json.js';

export const METADATA = '__metadata__';
const LARGEST_HEADER = 100_000_000;

/** One tensor of the file; its bytes are from `begin` to `end` after the header. */
export interface Entry {
  name: string;
  dtype: string;
  shape: number[];
  begin: number;
  end: number;
}

/** What the header says. */
export interface Header {
  entries: Entry[];
  metadata: Record<string, string>;
  /** Where the numbers begin. */
  start: number;
}

/** @throws Error saying what is wrong with the file */
export function readHeader(bytes: Uint8Array): Header {
  if (bytes.length < 8) refuse(`a file must hold at least 8 bytes; got ${bytes.length}`);
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const length = view.getUint32(0, true) + view.getUint32(4, true) * 2 ** 32;
  const start = 8 + length;
  if (length > LARGEST_HEADER) refuse(`the header must be at most ${LARGEST_HEADER} bytes; got ${length}`);
  if (start > bytes.length) refuse(`the header says ${length} bytes, and ${bytes.length - 8} follow`);
  const header = parseHeader(bytes.subarray(8, start));
  const metadata = readMetadata(header.get(METADATA));
  header.delete(METADATA);
  const entries = [...header].map(([name, value]) => readEntry(name, value));
  checkCover(entries, bytes.length - start);
  return { entries, metadata, start };
}

function parseHeader(bytes: Uint8Array): Map<string, unknown> {
  if (bytes[0] !== 0x7b) refuse('the header must begin with "{"');
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    refuse('the header must be UTF-8');
  }
  let parsed: unknown;
  try {
    parsed = parseUnique(text);
  } catch (error) {
    refuse(`the header must be JSON with every key once: ${(error as Error).message}`);
  }
  return new Map(Object.entries(parsed as object));
}

function readMetadata(value: unknown): Record<string, string> {
  if (value === undefined) return {};
  if (!isObject(value) || Object.values(value).some((v) => typeof v !== 'string')) {
    refuse(`"${METADATA}" must be an object of strings`);
  }
  return value as Record<string, string>;
}

function readEntry(name: string, value: unknown): Entry {
  const { dtype, shape, data_offsets: offsets } = isObject(value) ? (value as Record<string, unknown>) : {};
  const size = typeof dtype === 'string' ? NUMBER_SIZES.get(dtype) : undefined;
  if (size === undefined) refuse(`"${name}" must have a known dtype; got ${JSON.stringify(dtype)}`);
  if (!isSizes(shape)) refuse(`"${name}" must have a shape of whole numbers from 0`);
  if (!isSizes(offsets) || offsets.length !== 2) refuse(`"${name}" must have two data_offsets, whole numbers from 0`);
  const [begin, end] = offsets as [number, number];
  let needed = size as number;
  for (const n of shape) needed *= n;
  if (!Number.isSafeInteger(needed) || needed !== end - begin) {
    refuse(
      `"${name}" of shape [${shape}] and dtype ${dtype} must span ${needed} bytes; got offsets ${begin} to ${end}`,
    );
  }
  return { name, dtype: dtype as string, shape, begin, end };
}

/** The tensors must cover the bytes after the header without a hole or an overlap. */
function checkCover(entries: Entry[], total: number): void {
  let at = 0;
  let last = 'the start';
  for (const { name, begin, end } of [...entries].sort((a, b) => a.begin - b.begin || a.end - b.end)) {
    if (begin !== at) refuse(`"${name}" must begin at ${at}, where ${last} ends; got ${begin}`);
    at = end;
    last = `"${name}"`;
  }
  if (at !== total) refuse(`the tensors span ${at} bytes, and ${total} follow the header`);
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isSizes(value: unknown): value is number[] {
  return Array.isArray(value) && value.every((n) => Number.isSafeInteger(n) && n >= 0);
}

/** @throws Error */
export function refuse(reason: string): never {
  throw new Error(`readSafetensors: ${reason}`);
}
