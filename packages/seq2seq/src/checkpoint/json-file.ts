import type { Store } from './store.js';

/** A JSON file's value. @throws Error naming the file when it is missing, or no JSON */
export async function readJson(store: Store, name: string): Promise<unknown> {
  const bytes = await store.read(name);
  if (!bytes) throw new Error(`${name} is missing in ${store.label}`);
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch {
    throw new Error(`${name} in ${store.label} is not JSON (${bytes.length} bytes)`);
  }
}

export async function writeJson(store: Store, name: string, value: unknown): Promise<void> {
  const text = JSON.stringify(value, null, 2).replace(NUMBERS, (list) => list.replace(/\s+/g, ' '));
  await store.write(name, new TextEncoder().encode(`${text}\n`));
}

/** A list of numbers, each on a line of its own; no string holds a line break. A map of ids is then one line, not thousands. */
const NUMBERS = /\[\n[\s\d,]+\]/g;
