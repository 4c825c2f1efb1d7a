// The page's side of a training run in a worker.
import type { Failure } from './failure.js';
import type { FromWorker, ToWorker, TrainingMessage, TrainingRequest } from './protocol.js';
import { startWorker } from './start-worker.js';

/** A training run in a worker of its own. */
export class Trainer {
  private readonly worker = startWorker();

  /** @param onEnd told once, with what went wrong when the run failed */
  constructor(
    request: TrainingRequest,
    onMessage: (message: TrainingMessage) => void,
    onEnd: (failure: Failure | null) => void,
  ) {
    const end = (failure: Failure | null) => {
      this.worker.terminate();
      onEnd(failure);
    };
    this.worker.onmessage = ({ data }: MessageEvent<FromWorker>) => {
      if (data.type === 'failed') end(data.failure);
      else if (data.type === 'step' || data.type === 'validation' || data.type === 'prepared') onMessage(data);
      else if (data.type === 'trained') {
        onMessage(data);
        end(null);
      }
    };
    this.worker.onerror = ({ message }) => end({ code: 'worker-lost', said: message ?? '' });
    this.send({ type: 'train', request });
  }

  /** Ends the run after the step it is in; the model as it is then arrives as `trained`. */
  stop(): void {
    this.send({ type: 'stop' });
  }

  private send(message: ToWorker): void {
    this.worker.postMessage(message);
  }
}
