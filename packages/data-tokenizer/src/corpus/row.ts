import type { LineDefect } from './lines.js';

/** Lines of a file, or of two, as rows: `values` for the selected columns, or why there are none. */
export interface RowBlock {
  readonly columns: readonly string[];
  readonly rows: readonly Row[];
}

/** One line, or the lines of one quoted row. */
export interface Row {
  readonly line: number;
  readonly values: readonly string[] | undefined;
  readonly defect?: LineDefect | 'missing-column' | 'malformed' | 'blank';
}
