// Waiting for other threads: awake for a while, then asleep.

/** ms; a thread that sleeps needs longer to wake than the others of a small model need to come. */
const PATIENCE = 2;
/** Looks between two at the clock, which take longer and leave garbage. */
const LOOKS = 100;

/** Looks until `ready` or until patience, in ms, is at its end. @returns whether it is ready */
export function watchFor(ready: () => boolean, patience = PATIENCE): boolean {
  const end = performance.now() + patience;
  do {
    for (let i = 0; i < LOOKS; i++) if (ready()) return true;
  } while (performance.now() < end);
  return false;
}

/** Sleeps until `ready`, which other threads make so by changing the cell and notifying those who wait for it. */
export function sleepUntil(ready: () => boolean, cells: Int32Array, index: number): void {
  while (!ready()) {
    const seen = Atomics.load(cells, index);
    if (!ready()) Atomics.wait(cells, index, seen);
  }
}
