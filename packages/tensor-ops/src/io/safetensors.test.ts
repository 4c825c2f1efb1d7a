import { expect, test } from 'vitest';
import { dequantizeRows, quantizeRows } from './quantize-rows.js';
import { readSafetensors, readSafetensorsMetadata, writeSafetensors } from './safetensors.js';
import type { StateDict } from './state-dict.js';

const dict: StateDict = new Map([
  ['encoder.weight', { shape: [2, 3], data: Float32Array.of(1, -2, 3.5, Number.NaN, Number.POSITIVE_INFINITY, -0) }],
  ['empty', { shape: [0, 4], data: new Float32Array(0) }],
  ['scalar', { shape: [], data: Float32Array.of(1e-45) }],
  ['名前', { shape: [1], data: Float32Array.of(7) }],
]);

/** A file of a header given as text and of data. */
function file(header: string | Uint8Array, data: Uint8Array | number = 0, length?: number): Uint8Array {
  const text = typeof header === 'string' ? new TextEncoder().encode(header) : header;
  const rest = typeof data === 'number' ? new Uint8Array(data) : data;
  const bytes = new Uint8Array(8 + text.length + rest.length);
  new DataView(bytes.buffer).setBigUint64(0, BigInt(length ?? text.length), true);
  bytes.set(text, 8);
  bytes.set(rest, 8 + text.length);
  return bytes;
}

const entry = (shape: number[], offsets: number[], dtype = 'F32') => ({ dtype, shape, data_offsets: offsets });

test('what is written is read: names, shapes, every bit, in order', () => {
  const read = readSafetensors(writeSafetensors(dict));
  expect([...read.keys()]).toEqual([...dict.keys()]);
  for (const [name, { shape, data }] of dict) {
    expect(read.get(name)?.shape).toEqual(shape);
    expect(new Uint32Array(read.get(name)!.data.buffer)).toEqual(new Uint32Array(data.buffer));
  }
});

test('metadata is kept', () => {
  const notes = { format: 'pt', 'step "7"': '12\n' };
  expect(readSafetensorsMetadata(writeSafetensors(dict, { metadata: notes }))).toEqual(notes);
  expect(readSafetensorsMetadata(writeSafetensors(dict))).toEqual({});
});

test('metadata may be long and full of quotes', () => {
  const notes = { text: '"\\'.repeat(1_000_000) };
  expect(readSafetensorsMetadata(writeSafetensors(new Map(), { metadata: notes })).text).toBe(notes.text);
});

test('numbers start at a multiple of 8, and the same dict gives the same bytes', () => {
  for (const name of ['a', 'ab', 'abc', 'abcd', 'abcde', 'abcdef', 'abcdefg', 'abcdefgh']) {
    const bytes = writeSafetensors(new Map([[name, { shape: [1], data: Float32Array.of(1) }]]));
    expect(bytes[0]! % 8).toBe(0);
    expect(bytes).toEqual(writeSafetensors(new Map([[name, { shape: [1], data: Float32Array.of(1) }]])));
  }
});

test('reads from any offset of a larger buffer, and copies', () => {
  const bytes = writeSafetensors(dict);
  for (let offset = 0; offset < 9; offset++) {
    const larger = Buffer.alloc(bytes.length + 9);
    larger.set(bytes, offset);
    const read = readSafetensors(larger.subarray(offset, offset + bytes.length));
    larger.fill(0);
    expect(read.get('名前')?.data[0]).toBe(7);
  }
});

test('reads half, bfloat and double precision', () => {
  const halves = Uint16Array.of(0x3c00, 0xc000, 0x7bff, 0x0001, 0x8000, 0x7c00, 0xfe00, 0x3555);
  const bfloats = Uint16Array.of(0x3f80, 0xc020, 0x7f80, 0x0001);
  const header = JSON.stringify({
    half: entry([8], [0, 16], 'F16'),
    bfloat: entry([4], [16, 24], 'BF16'),
    double: entry([1], [24, 32], 'F64'),
  });
  const data = new Uint8Array(32);
  data.set(new Uint8Array(halves.buffer));
  data.set(new Uint8Array(bfloats.buffer), 16);
  data.set(new Uint8Array(Float64Array.of(0.1).buffer), 24);
  const read = readSafetensors(file(header, data));
  const expected = [1, -2, 65504, 2 ** -24, -0, Number.POSITIVE_INFINITY, Number.NaN, Math.fround(1 / 3 - 1 / 12288)];
  expect([...read.get('half')!.data]).toEqual(expected);
  expect([...read.get('bfloat')!.data]).toEqual([1, -2.5, Number.POSITIVE_INFINITY, 2 ** -133]);
  expect([...read.get('double')!.data]).toEqual([Math.fround(0.1)]);
});

test('whole numbers are refused by name', () => {
  const bytes = file(JSON.stringify({ steps: entry([1], [0, 8], 'I64') }), 8);
  expect(() => readSafetensors(bytes)).toThrow('"steps" must be of dtype F32, F16, BF16 or F64; got I64');
});

test('matrices chosen for int8 are read back as rounded, in a quarter of the size', () => {
  const [rows, columns] = [30, 101];
  const data = Float32Array.from({ length: rows * columns }, (_, i) => Math.sin(i));
  const whole: StateDict = new Map([
    ['w', { shape: [rows, columns], data }],
    ['b', { shape: [rows], data: data.slice(0, rows) }],
  ]);
  const bytes = writeSafetensors(whole, { int8: (name) => name === 'w' });
  expect(bytes.length).toBeLessThan(0.35 * writeSafetensors(whole).length);
  const read = readSafetensors(bytes);
  expect(new Set(read.keys())).toEqual(new Set(['w', 'b']));
  expect(read.get('b')).toEqual(whole.get('b'));
  expect(read.get('w')?.data).toEqual(dequantizeRows(quantizeRows(data, rows, columns)));
  expect(readSafetensors(writeSafetensors(read, { int8: () => true }))).toEqual(read);
});

test('8-bit integers without fitting scales are refused', () => {
  const of = (scales: object) => () =>
    readSafetensors(file(JSON.stringify({ w: entry([4, 2], [0, 8], 'I8'), ...scales }), 24));
  const rule = '"w" must be a matrix with as many scales as rows';
  expect(of({ other: entry([4], [8, 24]) })).toThrow('"w" must be of dtype F32, F16, BF16 or F64; got I8');
  expect(of({ 'w.int8_scales': entry([2, 2], [8, 24]) })).toThrow(rule);
  expect(of({ 'w.int8_scales': entry([2], [8, 24], 'F64') })).toThrow(rule);
});

test('a tensor may be called __proto__', () => {
  const bytes = file('{"__proto__":{"dtype":"F32","shape":[1],"data_offsets":[0,4]}}', 4);
  expect([...readSafetensors(bytes).keys()]).toEqual(['__proto__']);
  const notes = readSafetensorsMetadata(file('{"__metadata__":{"__proto__":"x"}}'));
  expect(Object.getPrototypeOf(notes)).toBe(Object.prototype);
  expect(Object.entries(notes)).toEqual([['__proto__', 'x']]);
});

const HOSTILE: [string, Uint8Array, string][] = [
  ['no bytes', new Uint8Array(0), 'at least 8 bytes; got 0'],
  ['seven bytes', new Uint8Array(7), 'at least 8 bytes; got 7'],
  ['an empty header', file(''), 'must begin with "{"'],
  ['a header longer than the file', file('{}', 0, 1000), 'the header says 1000 bytes, and 2 follow'],
  ['a huge header', file('{}', 0, Number.MAX_SAFE_INTEGER), 'at most 100000000 bytes; got 9007199254740991'],
  ['a length of all ones', new Uint8Array(16).fill(255), 'at most 100000000 bytes'],
  ['no JSON', file('{"a":'), 'must be JSON with every key once'],
  ['a list', file('[]'), 'must begin with "{"'],
  ['a byte order mark', file('\ufeff{}'), 'must begin with "{"'],
  ['bytes that are not UTF-8', file(Uint8Array.of(0x7b, 0x22, 0xff, 0x22, 0x7d)), 'the header must be UTF-8'],
  ['deep nesting', file(`{"a":${'['.repeat(200_000)}`), 'must be JSON with every key once'],
  ['a name twice', file('{"a":1,"\\u0061":2}'), 'the key "a" stands there twice'],
  ['a field twice', file('{"a":{"dtype":"F32","dtype":"F16"}}'), 'the key "dtype" stands there twice'],
  ['metadata of numbers', file('{"__metadata__":{"a":1}}'), '"__metadata__" must be an object of strings'],
  ['metadata that is a list', file('{"__metadata__":["a"]}'), '"__metadata__" must be an object of strings'],
  ['no dtype', file('{"a":{}}'), '"a" must have a known dtype; got undefined'],
  ['null for a tensor', file('{"a":null}'), '"a" must have a known dtype; got undefined'],
  ['a dtype of Object', file('{"a":{"dtype":"constructor"}}'), '"a" must have a known dtype; got "constructor"'],
  ['a negative size', file(JSON.stringify({ a: entry([-1], [0, 4]) }), 4), '"a" must have a shape of whole numbers'],
  ['half a size', file(JSON.stringify({ a: entry([0.5], [0, 2]) }), 2), '"a" must have a shape of whole numbers'],
  ['sizes of text', file('{"a":{"dtype":"F32","shape":"4"}}'), '"a" must have a shape of whole numbers'],
  ['a product too large', file(JSON.stringify({ a: entry([2 ** 40, 2 ** 40], [0, 4]) }), 4), 'must span'],
  ['an infinite product', file(JSON.stringify({ a: entry(new Array(40).fill(2 ** 50), [0, 4]) }), 4), 'must span'],
  ['sizes that wrap to fit', file(JSON.stringify({ a: entry([2 ** 31, 2 ** 31, 4], [0, 0]) })), 'must span'],
  [
    'a shape too small',
    file(JSON.stringify({ a: entry([1], [0, 8]) }), 8),
    '"a" of shape [1] and dtype F32 must span 4 bytes',
  ],
  [
    'an end before the begin',
    file(JSON.stringify({ a: entry([1], [4, 0]) }), 4),
    'must span 4 bytes; got offsets 4 to 0',
  ],
  ['three offsets', file(JSON.stringify({ a: entry([1], [0, 4, 8]) }), 8), 'two data_offsets'],
  ['a negative offset', file(JSON.stringify({ a: entry([1], [-4, 0]) }), 4), 'two data_offsets'],
  [
    'an end beyond the file',
    file(JSON.stringify({ a: entry([3], [0, 12]) }), 8),
    'the tensors span 12 bytes, and 8 follow',
  ],
  [
    'an overlap',
    file(JSON.stringify({ a: entry([2], [0, 8]), b: entry([2], [4, 12]) }), 12),
    '"b" must begin at 8, where "a" ends; got 4',
  ],
  [
    'a hole',
    file(JSON.stringify({ a: entry([1], [0, 4]), b: entry([1], [8, 12]) }), 12),
    '"b" must begin at 4, where "a" ends; got 8',
  ],
  ['bytes left over', file(JSON.stringify({ a: entry([1], [0, 4]) }), 5), 'the tensors span 4 bytes, and 5 follow'],
];

test.each(HOSTILE)('refuses %s', (_, bytes, reason) => {
  expect(() => readSafetensors(bytes)).toThrow('readSafetensors: ');
  expect(() => readSafetensors(bytes)).toThrow(reason);
});

test('every truncation of a good file is refused', () => {
  const bytes = writeSafetensors(dict, { metadata: { a: 'b' }, int8: () => true });
  for (let length = 0; length < bytes.length; length++) {
    expect(() => readSafetensors(bytes.subarray(0, length))).toThrow('readSafetensors: ');
  }
});

test('tensors need not lie in the order of their names', () => {
  const bytes = file(
    JSON.stringify({ b: entry([1], [4, 8]), a: entry([1], [0, 4]) }),
    new Uint8Array(Float32Array.of(1, 2).buffer),
  );
  expect(readSafetensors(bytes).get('b')?.data[0]).toBe(2);
});

test('writing refuses values that do not fit their shape, and the reserved name', () => {
  const one = (name: string, shape: number[]) => () =>
    writeSafetensors(new Map([[name, { shape, data: new Float32Array(3) }]]));
  expect(one('a', [2, 2])).toThrow('writeSafetensors: "a" of shape [2,2] must hold 4 numbers; got 3');
  expect(one('__metadata__', [3])).toThrow('no tensor may have the name "__metadata__"');
});
