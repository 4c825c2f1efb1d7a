// Where threads that work on one step wait for each other.
import { availableParallelism } from 'node:os';
import { setTimeout } from 'node:timers/promises';
import { sleepUntil, watchFor } from './wait.js';

/** ms between looks, where the wait is long. */
const PAUSE = 1;
/** ms awake where every thread has a core; where not, the others need this one's. */
const PATIENCE_WITH_A_CORE = 4;

/** One thread's view; `arrivals` is one number in shared memory, at first 0. */
export class Barrier {
  private expected = 0;
  private readonly patience: number | undefined;

  constructor(
    private readonly arrivals: Int32Array,
    private readonly threads: number,
  ) {
    if (threads <= availableParallelism()) this.patience = PATIENCE_WITH_A_CORE;
  }

  /** Says that this thread is there and sleeps until all are. */
  wait(): void {
    if (!this.arrive()) sleepUntil(this.open, this.arrivals, 0);
  }

  /** The same without holding up the event loop. @param check is called while it waits long; what it throws ends the wait */
  async pass(check: () => void): Promise<void> {
    if (this.arrive()) return;
    while (!this.open()) {
      await setTimeout(PAUSE);
      check();
    }
  }

  /** Whether all were there soon. */
  private arrive(): boolean {
    this.expected = (this.expected + this.threads) | 0; // both counts wrap around alike
    Atomics.add(this.arrivals, 0, 1);
    Atomics.notify(this.arrivals, 0);
    return watchFor(this.open, this.patience);
  }

  private readonly open = () => ((Atomics.load(this.arrivals, 0) - this.expected) | 0) >= 0;
}
