import type { DefectPolicy } from '@seqloom/data-tokenizer';
import { openLines } from '@seqloom/data-tokenizer/node';
import { InputError } from './errors.js';
import { showReading } from './progress/reading.js';

export interface AlignedLineOptions {
  /** `skip` leaves a line that is not clean text out of all files. */
  readonly onInvalid?: DefectPolicy | undefined;
  readonly maxLineBytes?: number | undefined;
  readonly quiet?: boolean | undefined;
}

/** Lines that correspond, a list a file, and how many were not clean. */
export interface AlignedLines {
  readonly texts: string[][];
  /** Lines left out (`skip`) or mended (`replace`). */
  readonly defects: number;
}

/** Reads files (`-`: standard input) that must correspond line by line. */
export async function readAlignedLines(
  files: readonly string[],
  { onInvalid = 'error', maxLineBytes, quiet }: AlignedLineOptions = {},
): Promise<AlignedLines> {
  if (files.filter((file) => file === '-').length > 1) {
    throw new InputError('only one file can be standard input (-)');
  }
  const reading = showReading(files, { noun: 'lines', quiet });
  const bad = new Set<number>();
  const texts: string[][] = [];
  for (const file of files) {
    const skipped = new Set<number>();
    const onDefect = (_: unknown, line: number) => {
      bad.add(line);
      if (onInvalid === 'skip') skipped.add(line);
    };
    const options = { onInvalid, onDefect, onRead: reading.onRead, ...(maxLineBytes && { maxLineBytes }) };
    const lines: string[] = [];
    for await (const line of reading.count(openLines(file, options))) {
      // A line that was left out keeps its place until all files are read.
      while (skipped.has(lines.length + 1)) lines.push('');
      lines.push(line);
    }
    while (skipped.has(lines.length + 1)) lines.push('');
    texts.push(lines);
  }
  requireEqualCounts(files, texts);
  const kept =
    onInvalid === 'skip' && bad.size > 0 ? texts.map((lines) => lines.filter((_, i) => !bad.has(i + 1))) : texts;
  return { texts: kept, defects: bad.size };
}

function requireEqualCounts(files: readonly string[], texts: readonly (readonly string[])[]): void {
  const count = texts[0]!.length;
  texts.forEach((lines, i) => {
    if (lines.length === count) return;
    const [longer, shorter] = lines.length > count ? [files[i], files[0]] : [files[0], files[i]];
    throw new InputError(
      `${files[0]} and ${files[i]} must have equally many lines; got ${count} and ${lines.length}: ` +
        `${longer}, line ${Math.min(count, lines.length) + 1} has no partner in ${shorter}`,
    );
  });
}
