import path from 'node:path';
import { folder } from '@seqloom/seq2seq/node';

/** Writes all or nothing: after a crash or on a full disk, the old file is there. Folders are made as needed. */
export async function writeFileAtomic(file: string, data: string | Uint8Array): Promise<void> {
  const bytes = typeof data === 'string' ? new TextEncoder().encode(data) : data;
  await folder(path.dirname(file)).write(path.basename(file), bytes);
}
