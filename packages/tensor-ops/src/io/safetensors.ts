// The safetensors format: 8 bytes of header length (little-endian), a JSON header of names, dtypes, shapes and offsets, then the
// numbers. Files are untrusted: nothing of the header is believed before it is checked, and what is not exactly right is refused.
// https://huggingface.co/docs/safetensors
import { decodeNumbers, isReadable, NUMBER_SIZES } from './number-formats.js';
import type { StateDict } from './state-dict.js';
import { parseUnique } from './unique-json.js';

const METADATA = '__metadata__';
const LARGEST_HEADER = 100_000_000;

interface Entry {
  name: string;
  dtype: string;
  shape: number[];
  begin: number;
  end: number;
}

/**
 * All tensors of a safetensors file by name, as 32-bit floats.
 *
 * @param bytes the file; F32, F16, BF16 and F64 are read, the values copied
 * @returns shapes and values
 * @throws Error saying what is wrong with the file, or naming a tensor of another dtype (whole numbers among them)
 * @example
 * model.loadStateDict(readSafetensors(await readFile('model.safetensors')));
 */
export function readSafetensors(bytes: Uint8Array): StateDict {
  const { entries, start } = readHeader(bytes);
  const dict: StateDict = new Map();
  for (const { name, dtype, shape, begin, end } of entries) {
    if (!isReadable(dtype)) {
      refuse(`"${name}" must be of dtype F32, F16, BF16 or F64; got ${dtype}`);
    }
    const own = Uint8Array.prototype.slice.call(bytes, start + begin, start + end); // a Buffer's slice would not copy
    dict.set(name, { shape, data: decodeNumbers(dtype, own) });
  }
  return dict;
}

/** The file's own notes. @throws Error saying what is wrong with the file */
export function readSafetensorsMetadata(bytes: Uint8Array): Record<string, string> {
  return readHeader(bytes).metadata;
}

/**
 * A safetensors file (F32) of a state dict: the same dict always gives the same bytes.
 *
 * @param dict shapes and values, in the order in which they are written
 * @param metadata notes kept in the header
 * @throws Error naming an entry whose values do not fit its shape
 */
export function writeSafetensors(dict: StateDict, metadata?: Record<string, string>): Uint8Array {
  const header: [string, unknown][] = metadata ? [[METADATA, metadata]] : [];
  let end = 0;
  for (const [name, { shape, data }] of dict) {
    const size = shape.reduce((product, n) => product * n, 1);
    if (name === METADATA || size !== data.length) {
      const rule = name === METADATA ? 'no tensor may have this name' : `must hold ${size} numbers; got ${data.length}`;
      throw new Error(`writeSafetensors: "${name}" of shape [${shape}]: ${rule}`);
    }
    const begin = end;
    end += data.byteLength;
    header.push([name, { dtype: 'F32', shape, data_offsets: [begin, end] }]);
  }
  const text = new TextEncoder().encode(JSON.stringify(Object.fromEntries(header)));
  const padded = Math.ceil(text.length / 8) * 8; // the numbers start at a multiple of 8
  const bytes = new Uint8Array(8 + padded + end).fill(0x20, 8, 8 + padded);
  new DataView(bytes.buffer).setUint32(0, padded, true);
  bytes.set(text, 8);
  let at = 8 + padded;
  for (const { data } of dict.values()) {
    bytes.set(new Uint8Array(data.buffer, data.byteOffset, data.byteLength), at);
    at += data.byteLength;
  }
  return bytes;
}

function readHeader(bytes: Uint8Array): { entries: Entry[]; metadata: Record<string, string>; start: number } {
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

function refuse(reason: string): never {
  throw new Error(`readSafetensors: ${reason}`);
}
