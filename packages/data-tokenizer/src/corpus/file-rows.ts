import { CmudictParser } from './cmudict.js';
import { CorpusError } from './corpus-error.js';
import { isBlank } from './filter.js';
import { JsonLinesParser } from './json-lines.js';
import type { DefectPolicy, LineBlock, LineDefect } from './lines.js';
import type { ReportBuilder } from './report.js';
import type { Row, RowBlock } from './row.js';
import { RowDefect, type RowParser } from './row-parser.js';
import { type ColumnReference, CommaParser, TabParser } from './table.js';

/** How a file writes its pairs. */
export type CorpusFormat = 'tsv' | 'csv' | 'jsonl' | 'cmudict';

/** What a parser is chosen by. */
export interface RowParserOptions {
  readonly format?: CorpusFormat;
  readonly columns?: readonly ColumnReference[];
  readonly header?: boolean | 'auto';
  readonly onInvalid?: DefectPolicy;
}

/** What reading the rows of a file needs to know besides the lines. */
export interface FileRowContext {
  readonly file: string;
  readonly skip: boolean;
  readonly defects: Map<number, LineDefect>;
  readonly report: ReportBuilder;
}

/**
 * The rows of a file that a parser finds in its lines.
 *
 * @throws CorpusError for a row without the wanted columns or otherwise malformed, unless those are skipped.
 */
export async function* fileRows(
  blocks: AsyncIterable<LineBlock>,
  parser: RowParser,
  context: FileRowContext,
): AsyncGenerator<RowBlock> {
  const { file, skip, defects, report } = context;
  for await (const { first, lines } of blocks) {
    const rows: Row[] = [];
    lines.forEach((text, index) => {
      const line = first + index;
      if (text === null) {
        rows.push({ line, values: undefined, defect: defects.get(line) ?? 'malformed' });
        defects.delete(line);
        return;
      }
      if (parser.openedAt === undefined && isBlank(text)) {
        rows.push({ line, values: undefined, defect: 'blank' });
        return;
      }
      const began = parser.openedAt ?? line;
      try {
        const values = parser.parse(text, line);
        if (values !== undefined) rows.push({ line: began, values });
      } catch (error) {
        if (!(error instanceof RowDefect)) throw error;
        if (!skip || parser.columns.length === 0) throw new CorpusError({ file, line: began }, error.message);
        rows.push({ line: began, values: undefined, defect: error.reason });
      }
    });
    report.header = parser.header;
    yield { columns: parser.columns, rows };
  }
  if (parser.openedAt !== undefined)
    throw new CorpusError({ file, line: parser.openedAt }, 'a quote opens here and is never closed');
}

/** The parser of a format; without one, of the format that the file's name suggests. */
export function rowParser(file: string, options: RowParserOptions): RowParser {
  const { columns = [], header = 'auto', format = formatOf(file) } = options;
  switch (format) {
    case 'jsonl': {
      const numbered = columns.find((column) => typeof column === 'number');
      if (numbered !== undefined) throw new Error(`openCorpus: columns of JSON Lines have names; got ${numbered}`);
      return new JsonLinesParser(columns as readonly string[], options.onInvalid === 'replace');
    }
    case 'cmudict':
      return new CmudictParser();
    case 'csv':
      return new CommaParser({ columns, header });
    case 'tsv':
      return new TabParser({ columns, header });
    default:
      throw new Error(`openCorpus: format must be tsv, csv, jsonl or cmudict; got ${JSON.stringify(format)}`);
  }
}

function formatOf(file: string): CorpusFormat {
  const extension = /\.(\w+)(?:\.gz)?$/.exec(file)?.[1]?.toLowerCase();
  if (extension === 'csv') return 'csv';
  if (extension === 'jsonl' || extension === 'ndjson' || extension === 'json') return 'jsonl';
  return extension === 'dict' ? 'cmudict' : 'tsv';
}
