import { hostname } from 'node:os';
import path from 'node:path';
import { appendToFile } from '../run/append-file.js';
import { maskedCrc32c } from './crc32c.js';
import { encodeEvent, encodeFileVersion, encodeSessionStart } from './event.js';

/**
 * An event file that TensorBoard reads (`tensorboard --logdir runs`): a TFRecord file, one `Event` a record. It is
 * appended to, so a run that goes on after a stop adds a file of its own and the curves join.
 */
export class EventFile {
  readonly path: string;

  /** @param resumed the step that a run goes on from, whose later points in earlier files are to be forgotten */
  constructor(
    folder: string,
    { resumed, now = Date.now() }: { readonly resumed?: number; readonly now?: number } = {},
  ) {
    const seconds = now / 1000;
    this.path = path.join(folder, `events.out.tfevents.${Math.floor(seconds)}.${hostname()}.${process.pid}`);
    appendToFile(this.path, record(encodeFileVersion(seconds)));
    if (resumed !== undefined) appendToFile(this.path, record(encodeSessionStart(seconds, resumed + 1)));
  }

  /** Numbers that are not finite are left out: TensorBoard draws no point for them. */
  scalars(step: number, scalars: Readonly<Record<string, number | undefined>>, now: number = Date.now()): void {
    const finite = Object.entries(scalars).filter((entry): entry is [string, number] => Number.isFinite(entry[1]));
    if (finite.length === 0) return;
    appendToFile(this.path, record(encodeEvent({ wallTime: now / 1000, step, scalars: Object.fromEntries(finite) })));
  }
}

/** TFRecord: length (8 bytes), its checksum, the data, its checksum; little-endian. */
export function record(data: Uint8Array): Uint8Array {
  const length = Buffer.alloc(12);
  length.writeBigUInt64LE(BigInt(data.length));
  length.writeUInt32LE(maskedCrc32c(length.subarray(0, 8)), 8);
  const end = Buffer.alloc(4);
  end.writeUInt32LE(maskedCrc32c(data));
  return Buffer.concat([length, data, end]);
}
