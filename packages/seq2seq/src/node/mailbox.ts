// Messages to a thread that does nothing but wait for them. They are counted in shared memory, so that no event loop has to turn
// for one: waking it costs more than a small message itself.
import { type MessagePort, receiveMessageOnPort } from 'node:worker_threads';
import { sleepUntil, watchFor } from './wait.js';

/** Where the count of the messages to a thread lies. */
export interface Counter {
  cells: Int32Array;
  index: number;
}

export class Outbox<Message> {
  constructor(
    private readonly port: MessagePort,
    private readonly counter: Counter,
  ) {}

  post(message: Message): void {
    this.port.postMessage(message);
    const { cells, index } = this.counter;
    Atomics.add(cells, index, 1);
    Atomics.notify(cells, index);
  }
}

export class Inbox<Message> {
  private taken = 0;

  /** @param port nothing else may listen to it */
  constructor(
    private readonly port: MessagePort,
    private readonly counter: Counter,
  ) {}

  /** The next message; blocks the thread until there is one. */
  take(): Message {
    const { cells, index } = this.counter;
    const posted = () => Atomics.load(cells, index) !== this.taken;
    if (!watchFor(posted)) sleepUntil(posted, cells, index);
    this.taken = (this.taken + 1) | 0; // both counts wrap around alike
    return receiveMessageOnPort(this.port)!.message as Message;
  }
}
