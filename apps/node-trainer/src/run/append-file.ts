import { appendFileSync } from 'node:fs';
import path from 'node:path';
import { makeFolder } from '@seqloom/seq2seq/node';

/** Adds to a file before it returns. Folders are made as needed; an error knows the file, which Node's (a full disk) may not. */
export function appendToFile(file: string, data: string | Uint8Array): void {
  try {
    makeFolder(path.dirname(file));
    appendFileSync(file, data);
  } catch (error) {
    throw Object.assign(error as Error, { path: file });
  }
}
