import { open, readdir, readFile, rename, rm } from 'node:fs/promises';
import { dirname, join, relative, resolve, sep } from 'node:path';
import type { Store } from '../checkpoint/store.js';
import { makeFolder } from './make-folder.js';

const TEMPORARY = '.tmp';

/**
 * A folder as a store. Files are written beside their place, flushed and renamed, so a crash or a full disk leaves the old file.
 * The folder is made at the first write.
 *
 * `await saveModel(model, folder('runs/zh-en'))` writes a model there.
 */
export function folder(path: string): Store {
  const root = resolve(path);
  return {
    label: path,
    read: async (name) => readOrNull(placeOf(root, name)),
    write: async (name, bytes) => writeWhole(placeOf(root, name), bytes),
    remove: async (name) => rm(placeOf(root, name), { force: true }),
    list: () => filesIn(root),
  };
}

/** @throws Error on a name that would leave the folder */
function placeOf(root: string, name: string): string {
  const place = resolve(root, name);
  if (!place.startsWith(root + sep)) throw new Error(`folder: a name must stay within ${root}; got ${name}`);
  return place;
}

async function readOrNull(file: string): Promise<Uint8Array | null> {
  try {
    return new Uint8Array(await readFile(file));
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return null;
    throw new Error(`folder: cannot read ${file} (${reasonOf(error)})`, { cause: error });
  }
}

async function writeWhole(file: string, bytes: Uint8Array): Promise<void> {
  const temporary = `${file}${TEMPORARY}`;
  try {
    makeFolder(dirname(file));
    const handle = await open(temporary, 'w');
    try {
      await handle.writeFile(bytes);
      await handle.sync();
    } finally {
      await handle.close();
    }
    await rename(temporary, file);
    await flushFolder(dirname(file));
  } catch (cause) {
    await rm(temporary, { force: true }).catch(() => {});
    throw new Error(`folder: cannot write ${file} (${reasonOf(cause)}); what was there before is untouched`, { cause });
  }
}

/** Makes the rename itself last through a power cut, where the system lets folders be flushed. */
async function flushFolder(path: string): Promise<void> {
  const handle = await open(path, 'r').catch(() => null);
  await handle?.sync().catch(() => {});
  await handle?.close();
}

async function filesIn(root: string): Promise<string[]> {
  try {
    const entries = await readdir(root, { recursive: true, withFileTypes: true });
    return entries
      .filter((entry) => entry.isFile() && !entry.name.endsWith(TEMPORARY))
      .map((entry) => relative(root, join(entry.parentPath, entry.name)).split(sep).join('/'))
      .sort();
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return [];
    throw new Error(`folder: cannot list ${root} (${reasonOf(error)})`, { cause: error });
  }
}

const reasons: Readonly<Record<string, string>> = {
  ENOSPC: 'no space is left on the disk',
  EDQUOT: 'the disk quota is used up',
  EROFS: 'the file system is read-only',
  EACCES: 'no permission',
  EPERM: 'no permission',
  EIO: 'the disk has an error',
  ENOENT: 'no folder can be made there',
  EEXIST: 'a file stands where a folder must be',
  ENOTDIR: 'a file stands where a folder must be',
};

function reasonOf(error: unknown): string {
  const code = codeOf(error);
  return reasons[code] ? `${reasons[code]}, ${code}` : code;
}

function codeOf(error: unknown): string {
  return (error as NodeJS.ErrnoException).code ?? String(error);
}
