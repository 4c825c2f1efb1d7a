/** Turns lines into the selected columns' values. One parser serves one pass over one file. */
export interface RowParser {
  /** Names of the selected columns, in the order of a row's values; known after the first line. */
  readonly columns: readonly string[];
  /** The header row's cells, once one was met. */
  readonly header: readonly string[] | undefined;
  /** Line on which a row began that is not complete yet (an open quote), else undefined. */
  readonly openedAt: number | undefined;
  /** The values of a row that this line completes; undefined if the line completes none (header, comment, open quote). */
  parse(text: string, line: number): readonly string[] | undefined;
}

/** A line that is no row of the format; the message is a clause, file and line are put before it by the reader. */
export class RowDefect extends Error {
  override readonly name = 'RowDefect';

  constructor(
    readonly reason: 'missing-column' | 'malformed',
    message: string,
  ) {
    super(message);
  }
}
