// Levenshtein distance near the diagonal, with the alignment of its cheapest path: what TER's search for shifts asks
// again and again for rearrangements of one sentence. Words are numbers here, so that comparing them is cheap.

/** How far from the diagonal cells are computed, in reference words (Tercom's limit). */
const BEAM_WIDTH = 25;
const UNREACHED = 1e9;

const KEEP_OR_REPLACE = 1;
const DELETE = 2;
const INSERT = 3;

/** Where hypothesis and reference differ, and which words face each other. */
export interface Alignment {
  /** For each reference word the index of the hypothesis word it faces; −1 when it stands before all of them. */
  readonly facing: Int32Array;
  /** For each hypothesis word 1 if it is not kept as it is, else 0. */
  readonly hypothesisErrors: Uint8Array;
  /** For each reference word 1 if it is not met as it is, else 0. */
  readonly referenceErrors: Uint8Array;
}

/**
 * The edit distances between one reference and rearrangements of one hypothesis. Rows of the table are kept from call
 * to call: a rearrangement that begins as the `base` does only computes the rows behind the common beginning.
 */
export class BeamAlignment {
  readonly #reference: Int32Array;
  readonly #length: number;
  readonly #ratio: number;
  readonly #beam: number;
  readonly #base: DistanceTable;
  readonly #trial: DistanceTable;
  #baseWords: Int32Array;

  /**
   * @param reference word numbers, at least one
   * @param hypothesis word numbers; every later sequence has the same length
   */
  constructor(reference: Int32Array, hypothesis: Int32Array) {
    this.#reference = reference;
    this.#length = hypothesis.length;
    this.#ratio = hypothesis.length > 0 ? reference.length / hypothesis.length : 1;
    // With far fewer hypothesis words than reference words neighbouring rows would not overlap.
    this.#beam = BEAM_WIDTH < this.#ratio / 2 ? Math.ceil(this.#ratio / 2 + BEAM_WIDTH) : BEAM_WIDTH;
    this.#base = new DistanceTable(hypothesis.length + 1, reference.length + 1);
    this.#trial = new DistanceTable(hypothesis.length + 1, reference.length + 1);
    this.#baseWords = hypothesis;
    this.rebase(hypothesis);
  }

  /** The distance of the base. */
  get distance(): number {
    return this.#base.last;
  }

  /** Makes `words` the sequence that others are compared with. */
  rebase(words: Int32Array): void {
    this.#baseWords = words;
    for (let row = 1; row <= this.#length; row++) this.#fillRow(this.#base, this.#base, row, words[row - 1] as number);
  }

  /** The distance of `words`, which equals the base before index `changedFrom`; that is an index of `words`. */
  distanceOf(words: Int32Array, changedFrom: number): number {
    for (let row = changedFrom + 1; row <= this.#length; row++) {
      const above = row === changedFrom + 1 ? this.#base : this.#trial;
      this.#fillRow(above, this.#trial, row, words[row - 1] as number);
    }
    return this.#trial.last;
  }

  /** The alignment of the base along its cheapest path; of equally cheap steps keeping or replacing goes first. */
  align(): Alignment {
    const table = this.#base;
    const facing = new Int32Array(this.#reference.length);
    const hypothesisErrors = new Uint8Array(this.#length);
    const referenceErrors = new Uint8Array(this.#reference.length);
    let own = this.#length;
    let other = this.#reference.length;
    while (own > 0 || other > 0) {
      const step = table.step(own, other);
      if (step === KEEP_OR_REPLACE) {
        own -= 1;
        other -= 1;
        const differs = this.#baseWords[own] === this.#reference[other] ? 0 : 1;
        facing[other] = own;
        hypothesisErrors[own] = differs;
        referenceErrors[other] = differs;
      } else if (step === DELETE) {
        own -= 1;
        hypothesisErrors[own] = 1;
      } else {
        other -= 1;
        facing[other] = own - 1;
        referenceErrors[other] = 1;
      }
    }
    return { facing, hypothesisErrors, referenceErrors };
  }

  /** One row of the table from the row above it. Cells outside the beam are unreached. */
  #fillRow(above: DistanceTable, table: DistanceTable, row: number, word: number): void {
    const columns = this.#reference.length + 1;
    const diagonal = Math.floor(row * this.#ratio);
    const from = Math.max(0, diagonal - this.#beam);
    const to = row === this.#length ? columns : Math.min(columns, diagonal + this.#beam);
    const { costs, steps } = table;
    const start = row * columns;
    const previous = start - columns;
    costs.fill(UNREACHED, start, start + columns);
    for (let column = from; column < to; column++) {
      let cost = UNREACHED;
      let step = 0;
      if (column > 0) {
        const same = word === this.#reference[column - 1];
        cost = (above.costs[previous + column - 1] as number) + (same ? 0 : 1);
        step = KEEP_OR_REPLACE;
      }
      const deleting = (above.costs[previous + column] as number) + 1;
      if (deleting < cost) {
        cost = deleting;
        step = DELETE;
      }
      const inserting = column > 0 ? (costs[start + column - 1] as number) + 1 : UNREACHED;
      if (inserting < cost) {
        cost = inserting;
        step = INSERT;
      }
      costs[start + column] = cost;
      steps[start + column] = step;
    }
  }
}

/** Costs and last steps of all prefixes, one row for each prefix of the hypothesis. */
class DistanceTable {
  readonly costs: Int32Array;
  readonly steps: Uint8Array;
  readonly #columns: number;

  constructor(rows: number, columns: number) {
    this.#columns = columns;
    this.costs = new Int32Array(rows * columns);
    this.steps = new Uint8Array(rows * columns);
    for (let column = 0; column < columns; column++) {
      this.costs[column] = column;
      this.steps[column] = INSERT;
    }
  }

  get last(): number {
    return this.costs[this.costs.length - 1] as number;
  }

  step(row: number, column: number): number {
    return this.steps[row * this.#columns + column] as number;
  }
}
