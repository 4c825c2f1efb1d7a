import { open, rename, rm } from 'node:fs/promises';

/** Writes to a temporary name, flushes, renames: a reader, or a crash, sees the old file or the new one. */
export async function writeFileAtomic(file: string, data: string | Uint8Array): Promise<void> {
  const temporary = `${file}.${process.pid}.tmp`;
  try {
    const handle = await open(temporary, 'w');
    try {
      await handle.writeFile(data);
      await handle.sync();
    } finally {
      await handle.close();
    }
    await rename(temporary, file);
  } catch (error) {
    await rm(temporary, { force: true }).catch(() => {});
    // The temporary name means nothing to the user.
    throw Object.assign(error as NodeJS.ErrnoException, { path: file });
  }
}
