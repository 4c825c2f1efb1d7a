// The page's side of the worker: starts it, and turns its messages into callbacks.
import type { FromWorker, Sentence, Status, ToWorker } from './protocol.js';

export interface TranslationView {
  onSentence(sentence: Sentence): void;
  onDone(milliseconds: number, cancelled: boolean): void;
}

/** A model in a worker. One translation at a time: a new one cancels the one before. */
export class Translator {
  private readonly worker = new Worker(new URL('./worker.ts', import.meta.url), { type: 'module' });
  private current: { id: number; view: TranslationView } | null = null;
  private lastId = 0;

  constructor(
    private readonly onReady: (status: Status) => void,
    private readonly onFailure: (message: string) => void,
  ) {
    this.worker.onmessage = ({ data }: MessageEvent<FromWorker>) => this.receive(data);
    this.worker.onerror = (event) => this.onFailure(event.message || 'The worker could not start.');
  }

  /** Takes the model folder at an address. */
  load(url: string): void {
    this.send({ type: 'load', url });
  }

  /** Takes the model folder the user picked. */
  loadFiles(files: File[]): void {
    this.send({ type: 'load-files', files });
  }

  translate(text: string, beam: number, view: TranslationView): void {
    this.cancel();
    this.current = { id: ++this.lastId, view };
    this.send({ type: 'translate', id: this.lastId, text, beam });
  }

  cancel(): void {
    if (this.current) this.send({ type: 'cancel', id: this.current.id });
    this.current = null;
  }

  private send(message: ToWorker): void {
    this.worker.postMessage(message);
  }

  private receive(message: FromWorker): void {
    if (message.type === 'ready') this.onReady(message.status);
    else if (message.type === 'failed') this.onFailure(message.message);
    else if (message.id === this.current?.id) {
      if (message.type === 'sentence') this.current.view.onSentence(message.sentence);
      else this.current.view.onDone(message.milliseconds, message.cancelled);
    }
  }
}
