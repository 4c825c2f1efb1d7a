// The order in which a recurrence visits a batch: time by time, and in each step only the rows that are still real.
import type { Lengths } from '../../lengths.js';

/** Real steps, packed: those of time 0 first, and within a time the longest row first. */
export interface Schedule {
  /** Row of the batch at each place, longest first. */
  order: Int32Array;
  /** How many rows, from the first place on, are real at each time. */
  active: Int32Array;
  /** Where each time's steps begin. */
  start: Int32Array;
  /** Real steps in all. */
  steps: number;
  /** Whether the packed order is the batch's own. */
  natural: boolean;
}

/** The packed steps' entries of `ids` [B, T]. */
export function packedIds({ order, active, steps }: Schedule, ids: Int32Array): Int32Array {
  const T = active.length;
  const packed = new Int32Array(steps);
  let step = 0;
  for (let t = 0; t < T; t++) for (let j = 0; j < active[t]!; j++) packed[step++] = ids[order[j]! * T + t]!;
  return packed;
}

/** The schedule of B rows of T steps, of which `lengths` are real. */
export function sequenceSchedule(B: number, T: number, lengths?: Lengths): Schedule {
  const order = Int32Array.from({ length: B }, (_, row) => row);
  const active = new Int32Array(T);
  if (lengths) {
    order.sort((a, b) => lengths[b]! - lengths[a]! || a - b);
    for (const length of lengths) for (let t = 0; t < length; t++) active[t]!++;
  } else active.fill(B);
  const start = new Int32Array(T);
  let steps = 0;
  for (let t = 0; t < T; t++) {
    start[t] = steps;
    steps += active[t]!;
  }
  return { order, active, start, steps, natural: steps === B * T && (B === 1 || T === 1) };
}
