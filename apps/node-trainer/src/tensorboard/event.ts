/** What TensorBoard shows: a number under a name at a step. */
export interface ScalarEvent {
  /** Seconds since 1970. */
  readonly wallTime: number;
  readonly step: number;
  readonly scalars: Readonly<Record<string, number>>;
}

/**
 * TensorFlow's `Event` message in protobuf's wire format: wall_time = 1, step = 2, file_version = 3, summary = 5, in which
 * value = 1 holds tag = 1 and simple_value = 2 (tensorflow/core/util/event.proto, framework/summary.proto).
 */
export function encodeEvent(event: ScalarEvent): Uint8Array {
  const values = Object.entries(event.scalars).map(([tag, value]) =>
    field(1, Buffer.concat([field(1, Buffer.from(tag)), key(2, 5), float(value)])),
  );
  return Buffer.concat([
    key(1, 1),
    double(event.wallTime),
    key(2, 0),
    varint(event.step),
    field(5, Buffer.concat(values)),
  ]);
}

/** The first event of every file. */
export function encodeFileVersion(wallTime: number): Uint8Array {
  return Buffer.concat([key(1, 1), double(wallTime), field(3, Buffer.from('brain.Event:2'))]);
}

/** Says that a run went on from a step: what an earlier file has from `step` on counts no more (session_log = 7, status START). */
export function encodeSessionStart(wallTime: number, step: number): Uint8Array {
  const start = Buffer.concat([key(1, 0), varint(1)]);
  return Buffer.concat([key(1, 1), double(wallTime), key(2, 0), varint(step), field(7, start)]);
}

function key(number: number, wireType: 0 | 1 | 2 | 5): Buffer {
  return Buffer.of((number << 3) | wireType);
}

function field(number: number, bytes: Uint8Array): Buffer {
  return Buffer.concat([key(number, 2), varint(bytes.length), bytes]);
}

function varint(value: number): Buffer {
  const bytes: number[] = [];
  let rest = value;
  while (rest >= 0x80) {
    bytes.push((rest % 0x80) | 0x80);
    rest = Math.floor(rest / 0x80);
  }
  return Buffer.from([...bytes, rest]);
}

function double(value: number): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeDoubleLE(value);
  return bytes;
}

function float(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeFloatLE(value);
  return bytes;
}
