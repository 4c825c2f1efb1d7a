import { heapBytes, withScratch } from '../../wasm/heap.js';
import type { Schedule } from './schedule.js';

/** Runs `use` with the addresses of scratch parts of so many bytes each. */
export function withParts<Name extends string>(
  bytes: Record<Name, number>,
  use: (at: Record<Name, number>) => void,
): void {
  const names = Object.keys(bytes) as Name[];
  const padded = (name: Name) => (bytes[name] + 31) & ~15;
  withScratch(
    names.reduce((sum, name) => sum + padded(name), 0),
    (pointer) => {
      const at = {} as Record<Name, number>;
      let next = pointer;
      for (const name of names) {
        at[name] = next;
        next += padded(name);
      }
      use(at);
    },
  );
}

/** Bytes of the parts that `writeSchedule` fills. */
export function scheduleBytes({ order, active }: Schedule): { order: number; active: number } {
  return { order: order.byteLength, active: active.byteLength };
}

export function writeInts(values: Int32Array, at: number): void {
  heapBytes().set(new Uint8Array(values.buffer, values.byteOffset, values.byteLength), at);
}

export function writeSchedule({ order, active }: Schedule, at: { order: number; active: number }): void {
  writeInts(order, at.order);
  writeInts(active, at.active);
}
