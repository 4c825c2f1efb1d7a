import { fstatSync, statSync } from 'node:fs';
import { showWork, type WorkOptions } from './work-progress.js';

/** How far files are read, on a terminal. */
export interface Reading {
  /** For whoever opens the files: told the bytes of every chunk. */
  readonly onRead: (bytes: number) => void;
  /** The items as they come, counted; the terminal is clean when they end. */
  count<Item>(items: AsyncIterable<Item>): AsyncGenerator<Item>;
}

/** Shows how far files (`-`: standard input) are read: a bar where their sizes are known, else a count. */
export function showReading(
  files: readonly string[],
  options: Omit<WorkOptions, 'total'>,
  stream?: NodeJS.WriteStream,
): Reading {
  const progress = showWork({ ...options, total: sizeOf(files) }, stream);
  return {
    onRead: (bytes) => progress.advance(bytes),
    async *count(items) {
      try {
        for await (const item of items) {
          progress.count();
          yield item;
        }
      } finally {
        progress.stop();
      }
    },
  };
}

/** Bytes of all files; undefined if one is a pipe or cannot be asked (opening it will say why). */
function sizeOf(files: readonly string[]): number | undefined {
  let size = 0;
  for (const file of files) {
    try {
      const stats = file === '-' ? fstatSync(0) : statSync(file);
      if (!stats.isFile()) return undefined;
      size += stats.size;
    } catch {
      return undefined;
    }
  }
  return size;
}
