import { CorpusError } from './corpus-error.js';
import type { LineBlock, LineDefect } from './lines.js';
import type { Row, RowBlock } from './row.js';

/**
 * The lines of two files side by side. Blank and unreadable lines keep their place, so all others stay aligned.
 *
 * @throws CorpusError if one file has more lines: both names, both counts, the first line without a partner.
 */
export async function* parallelRows(
  sides: readonly [AsyncIterable<LineBlock>, AsyncIterable<LineBlock>],
  names: { readonly source: string; readonly target: string },
  columns: readonly string[],
  defects: Map<number, LineDefect>,
): AsyncGenerator<RowBlock> {
  const source = new LineCursor(sides[0]);
  const target = new LineCursor(sides[1]);
  try {
    for (;;) {
      const available = Math.min(await source.fill(), await target.fill());
      if (available === 0) break;
      const rows: Row[] = [];
      for (let i = 0; i < available; i++) {
        const line = source.line;
        const a = source.take();
        const b = target.take();
        if (a === null || b === null) rows.push({ line, values: undefined, defect: defects.get(line) ?? 'malformed' });
        else rows.push({ line, values: [a, b] });
        defects.delete(line);
      }
      yield { columns, rows };
    }
    const partners = Math.min(source.line, target.line);
    const [sourceCount, targetCount] = [await source.countAll(), await target.countAll()];
    if (sourceCount !== targetCount) {
      const longer = sourceCount > targetCount ? names.source : names.target;
      throw new CorpusError(
        { file: longer, line: partners },
        `the first line without a partner: ${names.source} has ${sourceCount} lines, ${names.target} has ${targetCount}`,
      );
    }
  } finally {
    await source.close();
    await target.close();
  }
}

/** Takes lines one by one from blocks. */
class LineCursor {
  /** Number of the next line. */
  line = 1;
  readonly #blocks: AsyncIterator<LineBlock>;
  #lines: readonly (string | null)[] = [];
  #at = 0;

  constructor(blocks: AsyncIterable<LineBlock>) {
    this.#blocks = blocks[Symbol.asyncIterator]();
  }

  /** How many lines can be taken now; 0 at the end. */
  async fill(): Promise<number> {
    while (this.#at === this.#lines.length) {
      const { done, value } = await this.#blocks.next();
      if (done) return 0;
      this.#lines = value.lines;
      this.#at = 0;
    }
    return this.#lines.length - this.#at;
  }

  take(): string | null {
    this.line++;
    return this.#lines[this.#at++] as string | null;
  }

  /** Reads to the end and returns the number of lines in the file. */
  async countAll(): Promise<number> {
    for (let rest = await this.fill(); rest > 0; rest = await this.fill()) {
      this.line += rest;
      this.#at = this.#lines.length;
    }
    return this.line - 1;
  }

  async close(): Promise<void> {
    await this.#blocks.return?.();
  }
}
