/** What the cells beside the band cost: more than any that is reached. */
const UNREACHED = 1e9;

/** A table's cells near its diagonal, as many for each row, and all of the first row and the end of the last. */
export class Band {
  readonly rows: number;
  readonly columns: number;
  /** The band of row r is the columns from `from[r]` up to, not with, `to[r]`. */
  readonly from: Int32Array;
  readonly to: Int32Array;
  /** Where rows begin in the memory of a table; a last entry says where they end. */
  readonly begins: Int32Array;

  /** @param ratio columns each row */
  constructor(rows: number, columns: number, ratio: number, beam: number) {
    this.rows = rows;
    this.columns = columns;
    this.from = Int32Array.from({ length: rows }, (_, row) =>
      row === 0 ? 0 : Math.max(0, Math.floor(row * ratio) - beam),
    );
    this.to = Int32Array.from({ length: rows }, (_, row) =>
      row === 0 || row === rows - 1 ? columns : Math.min(columns, Math.floor(row * ratio) + beam),
    );
    this.begins = new Int32Array(rows + 1);
    for (let row = 0; row < rows; row++) {
      // Beside its band a row has the cells that the next row looks at.
      const end = Math.max(this.to[row] as number, this.to[row + 1] ?? 0);
      this.begins[row + 1] = (this.begins[row] as number) + 1 + end - (this.from[row] as number);
    }
  }

  /** Where column 0 of a row would be. */
  origin(row: number): number {
    return (this.begins[row] as number) + 1 - (this.from[row] as number);
  }
}

/** Costs and last steps in a band. */
export class BandedTable {
  readonly costs: Int32Array;
  readonly steps: Uint8Array;
  readonly #band: Band;

  constructor(band: Band) {
    const size = band.begins[band.rows] as number;
    this.costs = new Int32Array(size).fill(UNREACHED);
    this.steps = new Uint8Array(size);
    this.#band = band;
  }

  /** The cost of the last column of the last row. */
  get last(): number {
    const { rows, columns } = this.#band;
    return this.costs[this.#band.origin(rows - 1) + columns - 1] as number;
  }

  step(row: number, column: number): number {
    return this.steps[this.#band.origin(row) + column] as number;
  }

  /** Takes rows of another table of this band, the last included. */
  copyRows(other: BandedTable, first: number, last: number): void {
    const [from, to] = [this.#band.begins[first] as number, this.#band.begins[last + 1] as number];
    this.costs.set(other.costs.subarray(from, to), from);
    this.steps.set(other.steps.subarray(from, to), from);
  }

  /** Adds to every cost from a row on. */
  raiseFrom(first: number, by: number): void {
    const { rows, from, to } = this.#band;
    for (let row = first; row < rows; row++) {
      const origin = this.#band.origin(row);
      const end = origin + (to[row] as number);
      for (let at = origin + (from[row] as number); at < end; at++) this.costs[at] = (this.costs[at] as number) + by;
    }
  }

  /** How much more a row costs than the other table's, if all of it costs as much more; else undefined. */
  offsetFrom(other: BandedTable, row: number): number | undefined {
    const origin = this.#band.origin(row);
    const begin = origin + (this.#band.from[row] as number);
    const end = origin + (this.#band.to[row] as number);
    const offset = (this.costs[begin] as number) - (other.costs[begin] as number);
    for (let at = begin + 1; at < end; at++) {
      if ((this.costs[at] as number) - (other.costs[at] as number) !== offset) return undefined;
    }
    return offset;
  }
}
