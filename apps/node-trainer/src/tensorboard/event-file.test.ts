import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../testing/temporary-folder.js';
import { crc32c, maskedCrc32c } from './crc32c.js';
import { EventFile } from './event-file.js';

// RFC 3720, B.4
test.each([
  ['32 zero bytes', new Uint8Array(32), 0x8a9136aa],
  ['32 bytes of ones', new Uint8Array(32).fill(0xff), 0x62a8ab43],
  ['32 rising bytes', Uint8Array.from({ length: 32 }, (_, i) => i), 0x46dd794e],
  ['the digits 1 to 9', Buffer.from('123456789'), 0xe3069283],
])('the checksum of %s is the published one', (_, bytes, expected) => {
  expect(crc32c(bytes)).toBe(expected);
});

test('what is written is read back: every record framed, both checksums right, tags, steps and values kept', () => {
  const file = new EventFile(temporaryFolder('events-'), { now: 1_700_000_000_500 });
  file.scalars(1, { 'train/loss': 2.5, 'train/learning rate': 0.001 }, 1_700_000_001_000);
  file.scalars(70_000, { '验证/loss': 0.25, broken: Number.NaN, absent: undefined }, 1_700_000_002_000);
  file.scalars(3, { broken: Number.POSITIVE_INFINITY });

  const events = readRecords(readFileSync(file.path)).map(readEvent);
  expect(events).toEqual([
    { wallTime: 1_700_000_000.5, step: 0, version: 'brain.Event:2', scalars: {} },
    { wallTime: 1_700_000_001, step: 1, scalars: { 'train/loss': 2.5, 'train/learning rate': Math.fround(0.001) } },
    { wallTime: 1_700_000_002, step: 70_000, scalars: { '验证/loss': 0.25 } },
  ]);
});

test('a run that goes on says which points of earlier files are void', () => {
  const file = new EventFile(temporaryFolder('events-'), { resumed: 300 });
  const [, start] = readRecords(readFileSync(file.path));
  const event = new Map(fields(start!));
  expect(event.get(2)).toBe(301);
  expect([...fields(event.get(7) as Buffer)]).toEqual([[1, 1]]); // SessionLog.status = START
});

function readRecords(bytes: Buffer): Buffer[] {
  const records: Buffer[] = [];
  for (let at = 0; at < bytes.length; ) {
    const length = Number(bytes.readBigUInt64LE(at));
    expect(bytes.readUInt32LE(at + 8)).toBe(maskedCrc32c(bytes.subarray(at, at + 8)));
    const data = bytes.subarray(at + 12, at + 12 + length);
    expect(bytes.readUInt32LE(at + 12 + length)).toBe(maskedCrc32c(data));
    records.push(data);
    at += 16 + length;
  }
  return records;
}

interface ReadEvent {
  wallTime: number;
  step: number;
  version?: string;
  scalars: Record<string, number>;
}

function readEvent(bytes: Buffer): ReadEvent {
  const event: ReadEvent = { wallTime: 0, step: 0, scalars: {} };
  for (const [number, value] of fields(bytes)) {
    if (number === 1) event.wallTime = (value as Buffer).readDoubleLE();
    if (number === 2) event.step = value as number;
    if (number === 3) event.version = String(value);
    if (number === 5) {
      for (const [, summary] of fields(value as Buffer)) {
        const parts = new Map(fields(summary as Buffer));
        event.scalars[String(parts.get(1))] = (parts.get(2) as Buffer).readFloatLE();
      }
    }
  }
  return event;
}

function* fields(bytes: Buffer): Generator<[number, Buffer | number]> {
  let at = 0;
  const varint = () => {
    let value = 0;
    for (let scale = 1; ; scale *= 128) {
      const byte = bytes[at++]!;
      value += (byte & 0x7f) * scale;
      if (byte < 0x80) return value;
    }
  };
  while (at < bytes.length) {
    const key = varint();
    const wireType = key & 7;
    if (wireType === 0) yield [key >>> 3, varint()];
    else {
      const length = wireType === 1 ? 8 : wireType === 5 ? 4 : varint();
      yield [key >>> 3, bytes.subarray(at, at + length)];
      at += length;
    }
  }
}
