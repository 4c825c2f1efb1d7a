/** Resolves in the event loop's next turn, after timers, messages and signals that were waiting. */
export function nextTurn(): Promise<void> {
  if (typeof setImmediate === 'function') return new Promise((resolve) => setImmediate(resolve));
  return new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => {
      port1.close();
      resolve();
    };
    port2.postMessage(null);
  });
}

/** ms; below the 50 that make a task long in a browser. A turn takes a tenth of a millisecond and more. */
const OFTEN_ENOUGH = 30;
let last = 0;

/** The same, but nothing where the event loop had a turn a moment ago: for loops whose rounds may be short. */
export async function breathe(): Promise<void> {
  if (performance.now() - last < OFTEN_ENOUGH) return;
  await nextTurn();
  last = performance.now();
}
