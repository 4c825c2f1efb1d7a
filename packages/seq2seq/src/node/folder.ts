import { access, constants, mkdir, open, readdir, readFile, rename, rm } from 'node:fs/promises';
import { dirname, join, relative, resolve, sep } from 'node:path';
import type { Store } from '../checkpoint/store.js';

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
    await mkdir(dirname(file), { recursive: true });
    const handle = await open(temporary, 'w');
    try {
      await handle.writeFile(bytes);
      await handle.sync();
    } finally {
      await handle.close();
    }
    await rename(temporary, file);
    await flushFolder(dirname(file));
  } catch (error) {
    await rm(temporary, { force: true }).catch(() => {});
    const cause = await refusal(error, dirname(file));
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

// Where a folder cannot be made, Node says that it is not there; why it cannot be is what its nearest ancestor refuses.
async function refusal(error: unknown, path: string): Promise<unknown> {
  if (codeOf(error) !== 'ENOENT') return error;
  return access(path, constants.W_OK).then(
    () => error,
    (other) => (codeOf(other) === 'ENOENT' && dirname(path) !== path ? refusal(error, dirname(path)) : other),
  );
}

const reasons: Readonly<Record<string, string>> = {
  ENOSPC: 'no space is left on the disk',
  EDQUOT: 'the disk quota is used up',
  EROFS: 'the file system is read-only',
  EACCES: 'no permission',
  EPERM: 'no permission',
  EIO: 'the disk has an error',
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
