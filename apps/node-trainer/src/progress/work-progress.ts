import { terminalBar } from './terminal-bar.js';
import { clock } from './view.js';

/** How far a piece of work is, as a terminal shows it. */
export interface WorkProgress {
  /** So much more of the whole is done. */
  advance(amount: number): void;
  /** One more item has passed. */
  count(): void;
  /** Takes it off the terminal. */
  stop(): void;
}

export interface WorkOptions {
  /** What is counted: `lines`. */
  readonly noun: string;
  /** The whole, in the units of `advance`; undefined where nobody knows. */
  readonly total: number | undefined;
  /** Show nothing. */
  readonly quiet?: boolean | undefined;
}

const shownAfter = 500; // ms: what is done sooner needs no bar
const itemsBetweenLooks = 64;

/**
 * A bar with the number of items, their speed and the time left; where the whole is unknown, the number and speed alone.
 * Only for people: on a terminal that is no log, and only when the work takes long.
 */
export function showWork(
  { noun, total, quiet = false }: WorkOptions,
  stream: NodeJS.WriteStream = process.stderr,
): WorkProgress {
  if (quiet || !stream.isTTY || process.env.CI) return { advance() {}, count() {}, stop() {} };
  // The cursor stays: a signal that ends the process would leave the terminal without one.
  const bar = terminalBar(stream, total === undefined ? '{text}' : '{bar} {percentage}% · {text}', false);
  const start = performance.now();
  let [done, items, running] = [0, 0, false];
  const show = () => {
    const elapsed = performance.now() - start;
    if (elapsed < shownAfter) return;
    const text = describe(noun, items, elapsed, total === undefined ? 0 : done / total);
    const drawn = total === undefined ? 0 : Math.min(done, total);
    if (running) bar.update(drawn, { text });
    else bar.start(total || 1, drawn, { text });
    running = true;
  };
  return {
    advance(amount) {
      done += amount;
      show();
    },
    count() {
      if (++items % itemsBetweenLooks === 0) show();
    },
    stop() {
      if (running) bar.stop();
      running = false;
    },
  };
}

function describe(noun: string, items: number, elapsed: number, share: number): string {
  const rate = Math.round((1000 * items) / elapsed);
  const parts = [`${items.toLocaleString('en')} ${noun}`, `${rate.toLocaleString('en')}/s`];
  if (share > 0) parts.push(`${clock(Math.max(0, elapsed / share - elapsed) / 1000)} left`);
  return parts.join(' · ');
}
