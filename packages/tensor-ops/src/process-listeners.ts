const EVENTS = ['uncaughtException', 'unhandledRejection'] as const;

/** Whether this is Node, or another engine that says so. */
export function isNode(): boolean {
  return typeof process !== 'undefined' && process.versions?.node !== undefined;
}

/**
 * Runs `start` and takes off the process listeners that it added. Those of tfjs' wasm module turn any uncaught error of the
 * program into a print of its own source and exit code 7.
 */
export async function withoutNewListeners<T>(start: () => Promise<T>): Promise<T> {
  if (!isNode()) return start();
  const present = EVENTS.map((event) => new Set(listeners(event)));
  try {
    return await start();
  } finally {
    for (const [i, event] of EVENTS.entries()) {
      for (const listener of listeners(event)) {
        if (!present[i]?.has(listener)) process.removeListener(event, listener);
      }
    }
  }
}

/** The types of these two events' listeners differ, and nothing calls them here. */
function listeners(event: (typeof EVENTS)[number]): ((...values: unknown[]) => void)[] {
  return process.listeners(event as 'uncaughtException') as ((...values: unknown[]) => void)[];
}
