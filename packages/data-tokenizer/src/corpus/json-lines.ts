import { RowDefect, type RowParser } from './row-parser.js';

/** JSON Lines: one object a line, flat (`{"en": …, "zh": …}`) or below `translation`, as Hugging Face has them. */
export class JsonLinesParser implements RowParser {
  readonly header = undefined;
  readonly openedAt = undefined;
  #columns: readonly string[];
  readonly #mend: boolean;

  /** @param mend put U+FFFD for what an escape makes of a text that is none (NUL, half a character) instead of refusing it. */
  constructor(columns: readonly string[], mend = false) {
    this.#columns = columns;
    this.#mend = mend;
  }

  get columns(): readonly string[] {
    return this.#columns;
  }

  parse(text: string): readonly string[] {
    const record = toRecord(text);
    if (this.#columns.length === 0) {
      const keys = Object.keys(record).filter((key) => typeof record[key] === 'string');
      if (keys.length < 2) {
        throw new RowDefect('missing-column', `the object needs two string values; got ${describeKeys(record)}`);
      }
      this.#columns = keys.slice(0, 2);
    }
    return this.#columns.map((column) => {
      const value = Object.hasOwn(record, column) ? record[column] : undefined;
      if (typeof value === 'string') return this.#clean(column, value);
      throw new RowDefect(
        'missing-column',
        `the object has no string ${JSON.stringify(column)}; got ${describeKeys(record)}`,
      );
    });
  }

  #clean(column: string, value: string): string {
    const bad = notText.exec(value)?.[0];
    if (bad === undefined) return value;
    if (this.#mend) return value.replace(new RegExp(notText, 'gu'), '\uFFFD');
    const what = bad === '\0' ? 'a NUL' : 'half of a surrogate pair';
    throw new RowDefect('malformed', `${JSON.stringify(column)} holds ${what} (${escaped(bad)}), which is no text`);
  }
}

// An escape in JSON can say what UTF-8 cannot.
const notText = /[\0\p{Surrogate}]/u;

function escaped(unit: string): string {
  return `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
}

function toRecord(text: string): Record<string, unknown> {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (cause) {
    const hint = text.trimStart().startsWith('[') ? '; it begins a JSON array: convert it first: jq -c ".[]"' : '';
    throw new RowDefect('malformed', `not a JSON object on one line (${(cause as Error).message})${hint}`);
  }
  if (Array.isArray(value)) {
    throw new RowDefect('malformed', 'each line must be a JSON object; got an array: convert it first: jq -c ".[]"');
  }
  if (!isObject(value)) throw new RowDefect('malformed', 'each line must be a JSON object');
  return isObject(value.translation) ? value.translation : value;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function describeKeys(record: Record<string, unknown>): string {
  const keys = Object.keys(record);
  return keys.length === 0 ? 'no keys' : `the keys ${keys.slice(0, 8).join(', ')}`;
}
