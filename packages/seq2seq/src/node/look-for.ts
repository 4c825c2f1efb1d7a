import { type MessagePort, receiveMessageOnPort } from 'node:worker_threads';

/** ms; a thread that sleeps needs longer to wake than the next message of a small model takes to come. */
const PATIENCE = 2;

/** The port's next message, if it is there or comes soon; undefined where it is to be awaited. */
export function lookFor<Message>(port: MessagePort): Message | undefined {
  const end = performance.now() + PATIENCE;
  do {
    const received = receiveMessageOnPort(port);
    if (received) return received.message as Message;
  } while (performance.now() < end);
  return undefined;
}
