// Where threads that work on one step wait for each other.
import { setTimeout } from 'node:timers/promises';

/** ms; a thread that sleeps needs longer to wake than the others of a small model need to come. */
const PATIENCE = 2;
/** ms between looks, where the wait is long. */
const PAUSE = 1;

/** One thread's view; `arrivals` is one number in shared memory, at first 0. */
export class Barrier {
  private expected = 0;

  constructor(
    private readonly arrivals: Int32Array,
    private readonly threads: number,
  ) {}

  /** Says that this thread is there and sleeps until all are. */
  wait(): void {
    this.arrive();
    while (!this.open) {
      const seen = Atomics.load(this.arrivals, 0);
      if (!this.open) Atomics.wait(this.arrivals, 0, seen);
    }
  }

  /** The same without holding up the event loop. @param check is called while it waits long; what it throws ends the wait */
  async pass(check: () => void): Promise<void> {
    this.arrive();
    while (!this.open) {
      await setTimeout(PAUSE);
      check();
    }
  }

  private arrive(): void {
    this.expected = (this.expected + this.threads) | 0; // both counts wrap around alike
    Atomics.add(this.arrivals, 0, 1);
    Atomics.notify(this.arrivals, 0);
    const end = performance.now() + PATIENCE;
    while (!this.open && performance.now() < end);
  }

  private get open(): boolean {
    return ((Atomics.load(this.arrivals, 0) - this.expected) | 0) >= 0;
  }
}
