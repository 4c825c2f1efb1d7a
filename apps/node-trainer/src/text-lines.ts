import { openLines } from '@seqloom/data-tokenizer/node';
import { InputError } from './errors.js';

/** All lines of a file (`-`: standard input), blank ones too. */
export async function readAllLines(file: string): Promise<string[]> {
  const lines: string[] = [];
  for await (const line of openLines(file)) lines.push(line);
  return lines;
}

/** Files that must correspond line by line. */
export async function readAlignedLines(files: readonly string[]): Promise<string[][]> {
  if (files.filter((file) => file === '-').length > 1) {
    throw new InputError('only one file can be standard input (-)');
  }
  const texts = await Promise.all(files.map(readAllLines));
  const [first] = texts;
  texts.forEach((lines, i) => {
    const count = first!.length;
    if (lines.length === count) return;
    const [longer, shorter] = lines.length > count ? [files[i], files[0]] : [files[0], files[i]];
    throw new InputError(
      `${files[0]} and ${files[i]} must have equally many lines; got ${count} and ${lines.length}: ` +
        `${longer}, line ${Math.min(count, lines.length) + 1} has no partner in ${shorter}`,
    );
  });
  return texts;
}
