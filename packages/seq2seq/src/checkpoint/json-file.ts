import { ModelFolderError } from './model-folder-error.js';
import type { Store } from './store.js';

/** A JSON file's value. @throws ModelFolderError naming the file when it is missing, or no JSON */
export async function readJson(store: Store, name: string): Promise<unknown> {
  const there = { file: name, folder: store.label };
  const bytes = await store.read(name);
  if (!bytes) throw new ModelFolderError(`${name} is missing in ${store.label}`, { defect: 'missing', ...there });
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch {
    throw new ModelFolderError(`${name} in ${store.label} is not JSON (${bytes.length} bytes)`, {
      defect: 'not-json',
      ...there,
      bytes: bytes.length,
    });
  }
}

export async function writeJson(store: Store, name: string, value: unknown): Promise<void> {
  const text = JSON.stringify(value, null, 2).replace(NUMBERS, (list) => list.replace(/\s+/g, ' '));
  await store.write(name, new TextEncoder().encode(`${text}\n`));
}

/** A list of numbers, each on a line of its own; no string holds a line break. A map of ids is then one line, not thousands. */
const NUMBERS = /\[\n[\s\d,]+\]/g;
