// The model that a user picked: a folder's files, or one zip. Nothing in it is trusted.
import type { Store } from '@seqloom/seq2seq';
import { unzipSync } from 'fflate';
import { FailureError } from './failure.js';

const MEGABYTE = 2 ** 20;
/** What a model folder is read for, and how large each file may be. */
const LARGEST: Record<string, number> = {
  'config.json': 8 * MEGABYTE,
  'model.safetensors': 1024 * MEGABYTE,
  'tokenizer.source.json': 64 * MEGABYTE,
  'tokenizer.target.json': 64 * MEGABYTE,
};
const LARGEST_ZIP = 1024 * MEGABYTE;

type Reader = () => Promise<Uint8Array>;

/**
 * A store to read from: the shallowest folder that has a config.json.
 *
 * @throws FailureError when there is no model, more than one, a file that is too large, or a zip that cannot be read
 */
export async function pickedStore(files: readonly File[], name?: string): Promise<Store> {
  const [first] = files;
  if (!first) throw new FailureError({ code: 'no-files' });
  const zipped = files.length === 1 && first.name.toLowerCase().endsWith('.zip');
  const label = name ?? (zipped ? first.name : first.webkitRelativePath.split('/')[0] || first.name);
  const found = zipped ? await fromZip(first) : fromFiles(files);
  const folder = modelFolder([...found.keys()], label);
  const refuse = async (): Promise<never> => {
    throw new Error('What a user picked can only be read.');
  };
  return {
    label,
    read: async (name) => (await found.get(folder + name)?.()) ?? null,
    write: refuse,
    remove: refuse,
    list: async () => [...found.keys()].sort(),
  };
}

function fromFiles(files: readonly File[]): Map<string, Reader> {
  const found = new Map<string, Reader>();
  for (const file of files) {
    const path = file.webkitRelativePath || file.name;
    found.set(path, async () => {
      refuseLarge(path, file.size);
      return new Uint8Array(await file.arrayBuffer());
    });
  }
  return found;
}

async function fromZip(zip: File): Promise<Map<string, Reader>> {
  refuseLarge(zip.name, zip.size, LARGEST_ZIP);
  const bytes = new Uint8Array(await zip.arrayBuffer());
  const filter = ({ name, originalSize }: { name: string; originalSize: number }) => {
    if (!(base(name) in LARGEST)) return false;
    refuseLarge(name, originalSize);
    return true;
  };
  try {
    const entries = Object.entries(unzipSync(bytes, { filter }));
    return new Map(entries.map(([name, content]) => [name, async () => content]));
  } catch (error) {
    if (error instanceof FailureError) throw error;
    throw new FailureError({ code: 'bad-zip', file: zip.name });
  }
}

function refuseLarge(file: string, bytes: number, most = LARGEST[base(file)]): void {
  if (most !== undefined && bytes > most) throw new FailureError({ code: 'too-large', file, most, bytes });
}

function base(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}

/** The shallowest folder with a config.json, with its slash. */
function modelFolder(paths: readonly string[], label: string): string {
  const folders = paths
    .filter((path) => base(path) === 'config.json')
    .map((path) => path.slice(0, -'config.json'.length));
  const depth = (folder: string) => folder.split('/').length;
  const least = Math.min(...folders.map(depth));
  const [folder, ...others] = folders.filter((candidate) => depth(candidate) === least);
  if (folder === undefined) throw new FailureError({ code: 'no-model', folder: label });
  if (others.length > 0) {
    const names = [folder, ...others].slice(0, 4).map((name) => name.slice(0, -1));
    throw new FailureError({ code: 'several-models', folder: label, count: others.length + 1, names });
  }
  return folder;
}
