import type { Store } from './store.js';

export interface FetchStoreOptions {
  /** Told while a file arrives; `total` is null where the server does not say. */
  onProgress?: (progress: { name: string; loaded: number; total: number | null }) => void;
  signal?: AbortSignal;
}

/**
 * A model folder on a web server, to read from.
 *
 * @param url the folder's address; relative ones are relative to the page
 * @throws Error on writing, removing and listing
 */
export function fetchStore(url: string | URL, { onProgress, signal }: FetchStoreOptions = {}): Store {
  const base = String(url).replace(/\/?$/, '/');
  const refuse = async (): Promise<never> => {
    throw new Error(`fetchStore: ${base} can only be read`);
  };
  return {
    label: base,
    read: async (name) => {
      const response = await fetch(base + name, signal ? { signal } : {});
      if (response.status === 404) return null;
      if (!response.ok) throw new Error(`fetchStore: ${base}${name} gave ${response.status} ${response.statusText}`);
      return received(response, (loaded, total) => onProgress?.({ name, loaded, total }));
    },
    write: refuse,
    remove: refuse,
    list: refuse,
  };
}

async function received(response: Response, tell: (loaded: number, total: number | null) => void): Promise<Uint8Array> {
  const length = Number(response.headers.get('content-length'));
  const total = length > 0 && !response.headers.get('content-encoding') ? length : null;
  const parts: Uint8Array[] = [];
  let loaded = 0;
  const reader = response.body!.getReader(); // not every browser iterates over a stream
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    parts.push(value);
    loaded += value.length;
    tell(loaded, total);
  }
  const bytes = new Uint8Array(loaded);
  let at = 0;
  for (const part of parts) {
    bytes.set(part, at);
    at += part.length;
  }
  return bytes;
}
