import type { Store } from '@seqloom/seq2seq';

/** The model folder a user picked in the page, to read from. */
export function fileStore(files: readonly File[]): Store {
  const byName = new Map(
    files.map((file) => [file.webkitRelativePath.split('/').slice(1).join('/') || file.name, file]),
  );
  const refuse = async (): Promise<never> => {
    throw new Error('A picked folder can only be read.');
  };
  return {
    label: files[0]?.webkitRelativePath.split('/')[0] ?? 'folder',
    read: async (name) => {
      const file = byName.get(name);
      return file ? new Uint8Array(await file.arrayBuffer()) : null;
    },
    write: refuse,
    remove: refuse,
    list: async () => [...byName.keys()].sort(),
  };
}
