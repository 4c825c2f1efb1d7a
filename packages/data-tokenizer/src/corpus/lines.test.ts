import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { collect } from '../testing/collect.js';
import { type LineDefect, type LineOptions, readLineBlocks, readLines } from './lines.js';

const utf8 = (text: string) => new TextEncoder().encode(text);

async function lines(source: Uint8Array | string, options: LineOptions = {}): Promise<string[]> {
  return collect(readLines(typeof source === 'string' ? utf8(source) : source, options));
}

async function* inChunks(bytes: Uint8Array, sizes: readonly number[]): AsyncGenerator<Uint8Array> {
  // One buffer for all chunks, as some streams do it.
  const shared = new Uint8Array(Math.max(1, ...sizes));
  for (let at = 0, i = 0; at < bytes.length; i++) {
    const chunk = bytes.subarray(at, at + (sizes[i % sizes.length] as number));
    shared.set(chunk);
    yield shared.subarray(0, chunk.length);
    at += chunk.length;
  }
}

test('LF, CRLF and CR end a line; U+2028, U+2029, NEL, VT and FF do not', async () => {
  expect(await lines('a\nb\r\nc\rd\u2028e\u2029f\u0085g\vh\fi')).toEqual([
    'a',
    'b',
    'c',
    'd\u2028e\u2029f\u0085g\vh\fi',
  ]);
});

test('empty lines count, a final line end makes no line of its own', async () => {
  expect(await lines('\n\r\n\r\ra\n')).toEqual(['', '', '', '', 'a']);
  expect(await lines('a')).toEqual(['a']);
  expect(await lines('')).toEqual([]);
});

test('a byte order mark is dropped at the start of the file only', async () => {
  expect(await lines('\uFEFFa\n\uFEFFb')).toEqual(['a', '\uFEFFb']);
});

test('lines do not depend on how the bytes arrive', async () => {
  const text = fc.array(fc.constantFrom('a', '好', '👍', '\n', '\r', '\r\n', '\uFEFF', '\u2028'), { maxLength: 30 });
  await fc.assert(
    fc.asyncProperty(
      text,
      fc.array(fc.integer({ min: 1, max: 5 }), { minLength: 1, maxLength: 5 }),
      async (parts, sizes) => {
        const bytes = utf8(parts.join(''));
        const expected = parts
          .join('')
          .replace(/^\uFEFF/, '')
          .split(/\r\n|\r|\n/);
        if (expected.at(-1) === '') expected.pop();
        expect(await collect(readLines(inChunks(bytes, sizes)))).toEqual(expected);
      },
    ),
    { seed: 1, numRuns: 500 },
  );
});

test('gzip is unpacked, several members included, whatever the name', async () => {
  const packed = new Uint8Array([...gzipSync('a\nb\n'), ...gzipSync('c\n')]);
  expect(await lines(packed)).toEqual(['a', 'b', 'c']);
  expect(await collect(readLines(inChunks(packed, [1])))).toEqual(['a', 'b', 'c']);
});

test('damaged gzip is named in one sentence', async () => {
  await expect(lines(gzipSync('a\nb\n').subarray(0, 15), { name: 'x.gz' })).rejects.toThrow(
    'x.gz: the gzip data is damaged or cut short',
  );
});

const bad = new Uint8Array([...utf8('good\nb'), 0xff, ...utf8('d\nn\0l\nlast')]);

test('NUL and invalid UTF-8 are reported with file, line and byte', async () => {
  await expect(lines(bad, { name: 'x.txt' })).rejects.toMatchObject({ file: 'x.txt', line: 2, byte: 2 });
  await expect(lines(bad, { name: 'x.txt' })).rejects.toThrow(/^x\.txt, line 2, byte 2: invalid UTF-8 \(0xFF\); /);
  await expect(lines('a\nn\0l', { name: 'x.txt' })).rejects.toThrow(
    'x.txt, line 2, byte 2: a NUL byte, which text does not hold',
  );
});

test('under the policies skip and replace, the others keep their numbers', async () => {
  const read = async (onInvalid: 'skip' | 'replace') => {
    const defects: [LineDefect, number][] = [];
    const blocks = await collect(
      readLineBlocks(bad, { onInvalid, onDefect: (defect, line) => defects.push([defect, line]) }),
    );
    return { lines: blocks.flatMap((block) => block.lines), defects };
  };
  const defects = [
    ['invalid-utf8', 2],
    ['nul', 3],
  ];
  expect(await read('skip')).toEqual({ lines: ['good', null, null, 'last'], defects });
  expect(await read('replace')).toEqual({ lines: ['good', 'b\uFFFDd', 'n\uFFFDl', 'last'], defects });
});

test('invalid UTF-8 is found at its very byte', async () => {
  const wrong = [
    [0xc0, 0xaf],
    [0xed, 0xa0, 0x80],
    [0xf4, 0x90, 0x80, 0x80],
    [0xe4, 0xbd, 0x41],
    [0x80],
    [0xf0, 0x8f, 0xbf, 0xbf],
    [0xc3],
  ];
  for (const bytes of wrong) {
    const line = new Uint8Array([...utf8('é好👍'), ...bytes, 0x41]);
    await expect(lines(line)).rejects.toMatchObject({ line: 1, byte: 10 });
  }
});

test('a file that was cut inside a character is told from one in another encoding', async () => {
  await expect(lines(utf8('a\n好').subarray(0, 4))).rejects.toThrow(/line 2, byte 1: the file ends inside a character/);
  await expect(lines(new Uint8Array([0xff, 0xfe, 0x41, 0x00]))).rejects.toThrow(
    /UTF-16, not UTF-8; .*iconv -f UTF-16LE/,
  );
});

test('an endless line is an error or skipped, and is never held in memory', async () => {
  const source = async function* () {
    yield utf8('first\n');
    for (let i = 0; i < 200; i++) yield utf8('x'.repeat(1000));
    yield utf8('\nlast');
  };
  await expect(collect(readLines(source, { maxLineBytes: 5000, name: 'x' }))).rejects.toThrow(
    /^x, line 2: the line is longer than 5000 bytes/,
  );
  expect(await collect(readLines(source, { maxLineBytes: 5000, onInvalid: 'skip' }))).toEqual(['first', 'last']);
});

test('a source that is left early is closed', async () => {
  let closed = false;
  const source = async function* () {
    try {
      for (;;) yield utf8('line\n');
    } finally {
      closed = true;
    }
  };
  for await (const line of readLines(source)) {
    expect(line).toBe('line');
    break;
  }
  expect(closed).toBe(true);
});
