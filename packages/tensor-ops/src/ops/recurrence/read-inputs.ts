// What the input's product reads: x as it lies, or a copy of its steps in packed order or of the table's rows.
import { kernels } from '../../wasm/kernels.js';
import type { SequenceAttributes } from './cell-kernel.js';
import { writeInts } from './scratch.js';

type Attributes = Pick<SequenceAttributes, 'shape' | 'schedule' | 'lookup'>;

interface Parts {
  /** The schedule, written already. */
  order: number;
  active: number;
  /** Of `readBytes`. */
  x: number;
  rows: number;
}

/** Bytes of the parts that `readInputs` fills; I floats an input. */
export function readBytes({ schedule, lookup }: Attributes, I: number): { x: number; rows: number } {
  if (lookup) return { x: lookup.rows.length * I * 4, rows: lookup.rows.byteLength };
  return { x: schedule.natural ? 0 : schedule.steps * I * 4, rows: 0 };
}

/** Address of the product's rows, given that of x. */
export function readInputs({ shape, schedule, lookup }: Attributes, x: number, I: number, at: Parts): number {
  const k = kernels();
  if (lookup) {
    writeInts(lookup.rows, at.rows);
    k.gatherRows(x, at.rows, lookup.rows.length, I, at.x, I);
  } else if (!schedule.natural) k.packSteps(x, shape[1], I, at.order, at.active, at.x);
  else return x;
  return at.x;
}
