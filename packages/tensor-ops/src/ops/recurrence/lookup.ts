// Which rows of a table the steps of a recurrence read, each once where enough of them repeat.
import { packedIds, type Schedule } from './schedule.js';
import type { TableSequence } from './sequence-input.js';

/** Share of distinct rows up to which a product of those costs less than one of every step. */
const WORTH_SHARING = 0.8;

/** What the input's product reads. */
export interface Lookup {
  /** Rows of the table: the distinct ones that real steps read or, where few repeat, that of every packed step. */
  rows: Int32Array;
  /** Where each packed step's row is among `rows`; null where step n's is the n-th. */
  places: Int32Array | null;
  /** The row of the table without a gradient; -1 for none. */
  paddingId: number;
}

export function tableLookup({ table, ids, paddingId = -1 }: TableSequence, schedule: Schedule): Lookup {
  const read = packedIds(schedule, ids);
  const placeOf = new Int32Array(table.shape[0]).fill(-1);
  const places = new Int32Array(read.length);
  const rows = new Int32Array(read.length);
  let distinct = 0;
  for (let step = 0; step < read.length; step++) {
    const id = read[step]!;
    if (placeOf[id]! < 0) {
      placeOf[id] = distinct;
      rows[distinct++] = id;
    }
    places[step] = placeOf[id]!;
  }
  if (distinct > WORTH_SHARING * read.length) return { rows: read, places: null, paddingId };
  return { rows: rows.subarray(0, distinct), places, paddingId };
}
