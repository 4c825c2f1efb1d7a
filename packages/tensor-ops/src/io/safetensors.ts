// The safetensors format: 8 bytes of header length (little-endian), a JSON header of names, dtypes, shapes and offsets, then the
// numbers. https://huggingface.co/docs/safetensors
// A matrix may be kept in a quarter of the size: as 8-bit integers (I8) beside "<name>.int8_scales" (F32, one a row).
import { decodeNumbers, isReadable } from './number-formats.js';
import { dequantizeRows, quantizeRows } from './quantize-rows.js';
import { type Entry, METADATA, readHeader, refuse } from './safetensors-header.js';
import type { StateDict } from './state-dict.js';

const SCALES = '.int8_scales';

/**
 * All tensors of a safetensors file by name, as 32-bit floats.
 *
 * @param bytes the file; F32, F16, BF16 and F64 are read, and I8 that `writeSafetensors` wrote; the values are copied
 * @returns shapes and values
 * @throws Error saying what is wrong with the file, or naming a tensor of another dtype (whole numbers among them)
 * @example
 * const layer = new Linear({ inputSize: 2, outputSize: 3, seed: 1 });
 * const bytes = writeSafetensors(layer.stateDict());
 * layer.loadStateDict(readSafetensors(bytes));
 * console.log([...readSafetensors(bytes).keys()].join(' ')); // → weight bias
 */
export function readSafetensors(bytes: Uint8Array): StateDict {
  const { entries, start } = readHeader(bytes);
  const byName = new Map(entries.map((entry) => [entry.name, entry]));
  const bytesOf = ({ begin, end }: Entry): Uint8Array =>
    Uint8Array.prototype.slice.call(bytes, start + begin, start + end); // a Buffer's own slice would not copy
  const dict: StateDict = new Map();
  for (const entry of entries) {
    const { name, dtype, shape } = entry;
    const scales = byName.get(name + SCALES);
    if (dtype === 'I8' && scales) dict.set(name, { shape, data: readInt8(entry, scales, bytesOf) });
    else if (isReadable(dtype)) {
      if (!isScales(name, byName)) dict.set(name, { shape, data: decodeNumbers(dtype, bytesOf(entry)) });
    } else refuse(`"${name}" must be of dtype F32, F16, BF16 or F64; got ${dtype}`);
  }
  return dict;
}

/** The file's own notes. @throws Error saying what is wrong with the file */
export function readSafetensorsMetadata(bytes: Uint8Array): Record<string, string> {
  return readHeader(bytes).metadata;
}

export interface WriteOptions {
  /** Notes kept in the header. */
  metadata?: Record<string, string>;
  /** Which matrices to round to 8-bit integers with a scale for each row; none by default. */
  int8?: (name: string, shape: readonly number[]) => boolean;
}

/**
 * A safetensors file of a state dict: the same dict always gives the same bytes.
 *
 * @param dict shapes and values, in the order in which they are written
 * @throws Error naming an entry whose values do not fit its shape
 */
export function writeSafetensors(dict: StateDict, { metadata, int8 = () => false }: WriteOptions = {}): Uint8Array {
  const header: [string, unknown][] = metadata ? [[METADATA, metadata]] : [];
  const chunks: Uint8Array[] = [];
  let end = 0;
  const add = (
    name: string,
    dtype: string,
    shape: readonly number[],
    { buffer, byteOffset, byteLength }: ArrayBufferView,
  ) => {
    header.push([name, { dtype, shape, data_offsets: [end, end + byteLength] }]);
    chunks.push(new Uint8Array(buffer, byteOffset, byteLength));
    end += byteLength;
  };
  const small: (() => void)[] = []; // whole floats come first, so that they are aligned
  for (const [name, { shape, data }] of dict) {
    const size = shape.reduce((product, n) => product * n, 1);
    if (name === METADATA) throw new Error(`writeSafetensors: no tensor may have the name "${METADATA}"`);
    if (size !== data.length) {
      throw new Error(`writeSafetensors: "${name}" of shape [${shape}] must hold ${size} numbers; got ${data.length}`);
    }
    if (shape.length === 2 && int8(name, shape)) {
      const { values, scales } = quantizeRows(data, ...(shape as [number, number]));
      add(name + SCALES, 'F32', [scales.length], scales);
      small.push(() => add(name, 'I8', shape, values));
    } else add(name, 'F32', shape, data);
  }
  for (const write of small) write();
  return assemble(header, chunks, end);
}

function assemble(header: [string, unknown][], chunks: Uint8Array[], size: number): Uint8Array {
  const text = new TextEncoder().encode(JSON.stringify(Object.fromEntries(header)));
  const padded = Math.ceil(text.length / 8) * 8; // the numbers start at a multiple of 8
  const bytes = new Uint8Array(8 + padded + size).fill(0x20, 8, 8 + padded);
  new DataView(bytes.buffer).setUint32(0, padded, true);
  bytes.set(text, 8);
  let at = 8 + padded;
  for (const chunk of chunks) {
    bytes.set(chunk, at);
    at += chunk.length;
  }
  return bytes;
}

function readInt8({ name, shape, ...span }: Entry, scales: Entry, bytesOf: (entry: Entry) => Uint8Array): Float32Array {
  const [rows, columns] = shape;
  if (shape.length !== 2 || scales.dtype !== 'F32' || scales.shape.join() !== `${rows}`) {
    refuse(
      `"${name}" must be a matrix with as many scales as rows; got [${shape}] and ${scales.dtype} [${scales.shape}]`,
    );
  }
  const values = new Int8Array(bytesOf({ name, shape, ...span }).buffer);
  const factors = decodeNumbers('F32', bytesOf(scales));
  return dequantizeRows({ rows: rows as number, columns: columns as number, values, scales: factors });
}

/** Whether the entry holds the scales of an 8-bit matrix, and is no tensor by itself. */
function isScales(name: string, byName: Map<string, Entry>): boolean {
  return name.endsWith(SCALES) && byName.get(name.slice(0, -SCALES.length))?.dtype === 'I8';
}
