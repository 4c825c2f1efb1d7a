/** A token that may continue a row. */
export interface Candidate {
  readonly row: number;
  readonly token: number;
  /** The row's total with this token. */
  readonly total: number;
}

/**
 * The `count` best continuations over all rows, best first; equal ones in the order of rows and tokens. `-Infinity` is none.
 *
 * @param totals what each row has so far
 * @param rows next-token log-probabilities of each row
 */
export function bestCandidates(totals: readonly number[], rows: readonly Float32Array[], count: number): Candidate[] {
  const best: Candidate[] = [];
  let bar = -Infinity; // what a candidate must exceed once there are `count`
  for (const [row, values] of rows.entries()) {
    const before = totals[row]!;
    const fours = values.length - 3;
    for (let token = 0; token < values.length; token++) {
      // nearly all of a vocabulary fails here, four at a time
      while (
        token < fours &&
        !(before + values[token]! > bar) &&
        !(before + values[token + 1]! > bar) &&
        !(before + values[token + 2]! > bar) &&
        !(before + values[token + 3]! > bar)
      ) {
        token += 4;
      }
      if (token === values.length) break;
      const total = before + values[token]!;
      if (!(total > bar)) continue;
      let at = best.length;
      while (at > 0 && best[at - 1]!.total < total) at--;
      best.splice(at, 0, { row, token, total });
      if (best.length > count) best.pop();
      if (best.length === count) bar = best[count - 1]!.total;
    }
  }
  return best;
}
