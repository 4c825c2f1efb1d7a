// Levenshtein distance near the diagonal, with the alignment of its cheapest path: what TER's search for shifts asks
// again and again for rearrangements of one sentence. Words are numbers here, so that comparing them is cheap.
import { Band, BandedTable } from './banded-table.js';

/** How far from the diagonal cells are computed, in reference words (Tercom's limit). */
const BEAM_WIDTH = 25;

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
 * The edit distances between one reference and rearrangements of one hypothesis. Only the rows of the table that a rearrangement
 * changes are computed: those before it are the `base`'s, and once a whole row behind it costs as much more than the base's, so do
 * all that follow.
 */
export class BeamAlignment {
  readonly #reference: Int32Array;
  readonly #length: number;
  readonly #band: Band;
  readonly #base: BandedTable;
  readonly #trial: BandedTable;
  #baseWords: Int32Array;

  /**
   * @param reference word numbers, at least one
   * @param hypothesis word numbers; every later sequence has the same length
   */
  constructor(reference: Int32Array, hypothesis: Int32Array) {
    this.#reference = reference;
    this.#length = hypothesis.length;
    const ratio = hypothesis.length > 0 ? reference.length / hypothesis.length : 1;
    // With far fewer hypothesis words than reference words neighbouring rows would not overlap.
    const beam = BEAM_WIDTH < ratio / 2 ? Math.ceil(ratio / 2 + BEAM_WIDTH) : BEAM_WIDTH;
    this.#band = new Band(hypothesis.length + 1, reference.length + 1, ratio, beam);
    this.#base = new BandedTable(this.#band);
    this.#trial = new BandedTable(this.#band);
    this.#baseWords = hypothesis;
    const first = this.#band.origin(0);
    for (let column = 0; column < this.#band.columns; column++) {
      this.#base.costs[first + column] = column;
      this.#base.steps[first + column] = INSERT;
    }
    for (const [index, word] of hypothesis.entries()) this.#fillRow(this.#base, this.#base, index + 1, word);
  }

  /** The distance of the base. */
  get distance(): number {
    return this.#base.last;
  }

  /** Makes `words` the sequence that others are compared with; it equals the base but in `[from, to)`. */
  rebase(words: Int32Array, from: number, to: number): void {
    const { first, last, offset } = this.#try(words, from, to);
    this.#base.copyRows(this.#trial, first, last);
    this.#base.raiseFrom(last + 1, offset);
    this.#baseWords = words;
  }

  /** The distance of `words`, which equals the base but in `[from, to)`. */
  distanceOf(words: Int32Array, from: number, to: number): number {
    return this.#base.last + this.#try(words, from, to).offset;
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

  /** Fills the trial's rows from `first` to `last`; before, rows are the base's, and behind they cost `offset` more than it. */
  #try(words: Int32Array, from: number, to: number): { first: number; last: number; offset: number } {
    const first = from + 1;
    for (let row = first; row <= this.#length; row++) {
      this.#fillRow(row === first ? this.#base : this.#trial, this.#trial, row, words[row - 1] as number);
      const offset = row < to ? undefined : this.#trial.offsetFrom(this.#base, row);
      if (offset !== undefined) return { first, last: row, offset };
    }
    return { first, last: this.#length, offset: this.#trial.last - this.#base.last };
  }

  /** One row of the table from the row above it. Cells outside the beam are unreached. */
  #fillRow(above: BandedTable, table: BandedTable, row: number, word: number): void {
    const reference = this.#reference;
    const { costs, steps } = table;
    const previous = above.costs;
    const end = this.#band.to[row] as number;
    let column = this.#band.from[row] as number;
    let at = this.#band.origin(row) + column;
    let over = this.#band.origin(row - 1) + column;
    for (; column < end; column++, at++, over++) {
      let cost = (previous[over - 1] as number) + (word === reference[column - 1] ? 0 : 1);
      let step = KEEP_OR_REPLACE;
      const deleting = (previous[over] as number) + 1;
      if (deleting < cost) {
        cost = deleting;
        step = DELETE;
      }
      const inserting = (costs[at - 1] as number) + 1;
      if (inserting < cost) {
        cost = inserting;
        step = INSERT;
      }
      costs[at] = cost;
      steps[at] = step;
    }
  }
}
