/** How many steps of each row are real; the rest of the row is padding. */
export type Lengths = Int32Array | readonly number[];

/**
 * Checks that `lengths` has one whole number in [0, steps] for each of `rows` rows.
 *
 * @throws Error naming `what` and the first length that does not fit
 */
export function checkLengths(what: string, lengths: Lengths, rows: number, steps: number): void {
  if (lengths.length !== rows) {
    throw new Error(`${what}: lengths must hold one number for each of the ${rows} rows; got ${lengths.length}`);
  }
  for (let row = 0; row < rows; row++) {
    const length = lengths[row];
    if (!Number.isInteger(length) || length! < 0 || length! > steps) {
      throw new Error(`${what}: lengths must be whole numbers in [0, ${steps}]; got ${length} for row ${row}`);
    }
  }
}
