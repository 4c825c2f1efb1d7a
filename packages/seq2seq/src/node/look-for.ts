import { type MessagePort, receiveMessageOnPort } from 'node:worker_threads';
import { watchFor } from './wait.js';

/** The port's next message, if it is there or comes soon; undefined where it is to be awaited. */
export function lookFor<Message>(port: MessagePort): Message | undefined {
  let received: { message: unknown } | undefined;
  watchFor(() => {
    received = receiveMessageOnPort(port);
    return received !== undefined;
  });
  return received?.message as Message | undefined;
}
