// Where models and checkpoints lie: a folder, memory, a web server.

/** Named files. Names are relative, with `/` between parts. */
export interface Store {
  /** What errors call it. */
  readonly label: string;
  /** The bytes, or null where there is no such file. @throws Error with one sentence when it cannot be read */
  read(name: string): Promise<Uint8Array | null>;
  /** Writes all or nothing: after a crash the old bytes are there, or the new. @throws Error with one sentence when it cannot be written */
  write(name: string, bytes: Uint8Array): Promise<void>;
  /** Removes a file; one that is not there is no error. */
  remove(name: string): Promise<void>;
  /** All names, sorted. */
  list(): Promise<string[]>;
}

/** A store that lives as long as the program. */
export function memoryStore(): Store {
  const files = new Map<string, Uint8Array>();
  return {
    label: 'memory',
    read: async (name) => files.get(name)?.slice() ?? null,
    write: async (name, bytes) => {
      files.set(name, bytes.slice());
    },
    remove: async (name) => {
      files.delete(name);
    },
    list: async () => [...files.keys()].sort(),
  };
}
