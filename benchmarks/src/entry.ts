import type { Row } from './compare.js';

/** What a row may use of this machine. */
export interface Machine {
  /** A Python with torch on a fast BLAS, or why there is none. */
  python: string | null;
  /** Whether this engine has relaxed SIMD. */
  relaxed: boolean;
}

/** A row of the table: its name, and how it is measured. Null where this machine lacks a rival. */
export interface Entry {
  name: string;
  run(machine: Machine): Promise<Row | null>;
}
