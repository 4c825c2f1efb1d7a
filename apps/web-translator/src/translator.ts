// The page's side of a model in a worker: opens it, and turns its messages into callbacks.
import { type Failure, FailureError } from './failure.js';
import type { FromWorker, ModelSource, Precision, Sentence, Status, ToWorker } from './protocol.js';
import { startWorker } from './start-worker.js';

export interface TranslationView {
  onSentence(sentence: Sentence): void;
  onDone(milliseconds: number, cancelled: boolean): void;
  onFailure(failure: Failure): void;
}

/** A model in a worker of its own: one that cannot be opened, or breaks down, leaves others alone. One translation at a time. */
export class Translator {
  private current: { id: number; view: TranslationView } | null = null;
  private lastId = 0;

  private constructor(
    private readonly worker: Worker,
    readonly status: Status,
  ) {
    worker.onmessage = ({ data }: MessageEvent<FromWorker>) => this.receive(data);
    worker.onerror = ({ message }) =>
      this.receive({ type: 'failed', failure: { code: 'worker-lost', said: message ?? '' } });
  }

  /** @throws FailureError when there is no such model, or it is damaged */
  static open(
    source: ModelSource,
    precision: Precision,
    onProgress: (share: number) => void = () => {},
  ): Promise<Translator> {
    const worker = startWorker();
    return new Promise((resolve, reject) => {
      const fail = (failure: Failure) => {
        worker.terminate();
        reject(new FailureError(failure));
      };
      worker.onmessage = ({ data }: MessageEvent<FromWorker>) => {
        if (data.type === 'ready') resolve(new Translator(worker, data.status));
        else if (data.type === 'loading') onProgress(data.share);
        else if (data.type === 'failed') fail(data.failure);
      };
      worker.onerror = ({ message }) => fail({ code: 'worker-lost', said: message ?? '' });
      worker.postMessage({ type: 'load', source, precision } satisfies ToWorker);
    });
  }

  /** Cancels the translation before. */
  translate(text: string, beam: number, view: TranslationView): void {
    this.cancel();
    this.current = { id: ++this.lastId, view };
    this.send({ type: 'translate', id: this.lastId, text, beam });
  }

  cancel(): void {
    if (this.current) this.send({ type: 'cancel', id: this.current.id });
    this.current = null;
  }

  dispose(): void {
    this.worker.terminate();
  }

  private send(message: ToWorker): void {
    this.worker.postMessage(message);
  }

  private receive(message: FromWorker): void {
    if (!this.current) return;
    const { id, view } = this.current;
    if (message.type === 'failed') view.onFailure(message.failure);
    else if (message.type === 'sentence' && message.id === id) view.onSentence(message.sentence);
    else if (message.type === 'done' && message.id === id) view.onDone(message.milliseconds, message.cancelled);
  }
}
