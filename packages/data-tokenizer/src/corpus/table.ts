import { likelyPair, looksLikeHeader } from './header.js';
import { RowDefect, type RowParser } from './row-parser.js';

/** A column by its number (from 1) or by its name in the header row. */
export type ColumnReference = string | number;

/** Which columns of a table are wanted, and whether its first row names them. */
export interface TableOptions {
  readonly columns: readonly ColumnReference[];
  readonly header: boolean | 'auto';
}

/** Tab-separated values: no quoting, a quotation mark is text. */
export class TabParser implements RowParser {
  readonly openedAt = undefined;
  readonly #selection: ColumnSelection;

  constructor(options: TableOptions) {
    this.#selection = new ColumnSelection(options, 'tab');
  }

  get columns(): readonly string[] {
    return this.#selection.names;
  }

  get header(): readonly string[] | undefined {
    return this.#selection.header;
  }

  parse(text: string): readonly string[] | undefined {
    return this.#selection.select(text.split('\t'), text);
  }
}

/** Comma-separated values (RFC 4180): quoted cells may hold commas, line ends (read as LF) and doubled quotes. */
export class CommaParser implements RowParser {
  readonly #selection: ColumnSelection;
  #open: { line: number; text: string } | undefined;

  constructor(options: TableOptions) {
    this.#selection = new ColumnSelection(options, 'comma');
  }

  get columns(): readonly string[] {
    return this.#selection.names;
  }

  get header(): readonly string[] | undefined {
    return this.#selection.header;
  }

  get openedAt(): number | undefined {
    return this.#open?.line;
  }

  parse(text: string, line: number): readonly string[] | undefined {
    const begun = this.#open ?? { line, text: '' };
    const whole = this.#open === undefined ? text : `${begun.text}\n${text}`;
    this.#open = undefined;
    const cells = splitQuoted(whole);
    if (cells !== undefined) return this.#selection.select(cells, whole);
    // A stray quote would otherwise swallow the rest of the file.
    if (whole.length > longestRow) {
      throw new RowDefect(
        'malformed',
        `the quote that opens on line ${begun.line} is not closed within ${longestRow} characters`,
      );
    }
    this.#open = { line: begun.line, text: whole };
    return undefined;
  }
}

const longestRow = 1 << 16;

/** The cells of a CSV row; undefined if a quote is still open at its end. */
function splitQuoted(text: string): string[] | undefined {
  if (!text.includes('"')) return text.split(',');
  const cells: string[] = [];
  let at = 0;
  for (;;) {
    if (text[at] !== '"') {
      const comma = text.indexOf(',', at);
      cells.push(comma === -1 ? text.slice(at) : text.slice(at, comma));
      if (comma === -1) return cells;
      at = comma + 1;
      continue;
    }
    let close = text.indexOf('"', at + 1);
    while (close !== -1 && text[close + 1] === '"') close = text.indexOf('"', close + 2);
    if (close === -1) return undefined;
    cells.push(text.slice(at + 1, close).replaceAll('""', '"'));
    if (close + 1 === text.length) return cells;
    if (text[close + 1] !== ',') throw new RowDefect('malformed', 'a comma must follow the closing quote of a cell');
    at = close + 2;
  }
}

/** Finds the wanted columns at the first row, then picks them from every row. */
class ColumnSelection {
  header: readonly string[] | undefined;
  names: readonly string[] = [];
  readonly #options: TableOptions;
  readonly #separator: 'tab' | 'comma';
  #indices: readonly number[] | undefined;

  constructor(options: TableOptions, separator: 'tab' | 'comma') {
    this.#options = options;
    this.#separator = separator;
  }

  select(cells: readonly string[], text: string): readonly string[] | undefined {
    if (this.#indices === undefined) {
      this.#resolve(cells);
      if (this.header !== undefined) return undefined;
    }
    return (this.#indices as readonly number[]).map((index) => {
      const cell = cells[index];
      if (cell === undefined) throw this.#missing(index, cells, text);
      return cell;
    });
  }

  #resolve(first: readonly string[]): void {
    const { columns, header } = this.#options;
    const cells = first.map((cell) => cell.trim());
    const named = columns.filter((column) => typeof column === 'string');
    const isHeader =
      header === 'auto'
        ? (named.length > 0 && named.every((name) => cells.includes(name))) || looksLikeHeader(cells)
        : header;
    if (!isHeader) {
      // Without a header, names label the columns from the first on; numbers say where to look.
      const wanted = columns.length === 0 ? [1, 2] : columns;
      this.#indices = wanted.map((column, index) => (typeof column === 'number' ? column - 1 : index));
      this.names = wanted.map(String);
      return;
    }
    this.header = cells;
    if (columns.length === 0) {
      throw new RowDefect(
        'missing-column',
        `the row looks like a header (${cells.join(', ')}); name the two columns to use, such as columns: ` +
          `${JSON.stringify(likelyPair(cells))}, or say header: false`,
      );
    }
    this.#indices = columns.map((column) => {
      const index = typeof column === 'number' ? column - 1 : cells.indexOf(column);
      if (index === -1 || index >= cells.length) {
        throw new RowDefect(
          'missing-column',
          `there is no column ${JSON.stringify(column)}; the header has ${cells.join(', ')}`,
        );
      }
      if (typeof column === 'string' && cells.indexOf(column, index + 1) !== -1) {
        throw new RowDefect(
          'missing-column',
          `the header names two columns ${JSON.stringify(column)} (${cells.join(', ')}); say which by its number`,
        );
      }
      return index;
    });
    this.names = this.#indices.map((index) => cells[index] as string);
  }

  #missing(index: number, cells: readonly string[], text: string): RowDefect {
    const wanted = (this.#indices as readonly number[]).map((wantedIndex) => wantedIndex + 1).join(' and ');
    const count = cells.length === 1 ? '1 column' : `${cells.length} columns`;
    return new RowDefect(
      'missing-column',
      `the row has ${count} (${this.#separator}-separated), so no column ${index + 1} (columns ${wanted} are wanted)${hint(cells, text)}`,
    );
  }
}

const scripts = [
  'Latin',
  'Han',
  'Arabic',
  'Hebrew',
  'Cyrillic',
  'Greek',
  'Bengali',
  'Devanagari',
  'Tamil',
  'Thai',
  'Hangul',
  'Hiragana',
];

/** What a row without the wanted columns may be instead. */
function hint(cells: readonly string[], text: string): string {
  if (cells.length > 1) return '';
  if (text.trimStart().startsWith('{')) return '; it looks like JSON Lines: say format: "jsonl"';
  if (text.includes('\t')) return '; it holds tabs: say format: "tsv"';
  if (text.includes(',')) return '; it holds commas: if it is CSV, say format: "csv"';
  const count = (script: string) => text.match(new RegExp(`\\p{Script=${script}}`, 'gu'))?.length ?? 0;
  const script = scripts.reduce((best, next) => (count(next) > count(best) ? next : best));
  return count(script) === 0 ? '' : `; it is one run of ${script} text: is this a file of pairs?`;
}
