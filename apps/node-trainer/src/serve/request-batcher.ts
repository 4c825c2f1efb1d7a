import type { Translation, Translator, TranslatorOptions } from '../text/translator.js';

interface Waiting {
  readonly text: string;
  readonly signal: AbortSignal;
  readonly resolve: (translation: Translation) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Translates the texts of concurrent requests together: while one batch is in the model, the next gathers. Batch-mates do
 * not change a translation.
 */
export class RequestBatcher {
  readonly #translator: Translator;
  readonly #options: TranslatorOptions;
  readonly #size: number;
  #waiting: Waiting[] = [];
  #running = false;

  constructor(translator: Translator, options: TranslatorOptions, size: number) {
    this.#translator = translator;
    this.#options = options;
    this.#size = size;
  }

  /** Number of texts that wait. */
  get length(): number {
    return this.#waiting.length;
  }

  /** Rejects with the signal's reason when it is aborted first. */
  translate(text: string, signal: AbortSignal): Promise<Translation> {
    return new Promise((resolve, reject) => {
      signal.addEventListener('abort', () => reject(signal.reason), { once: true });
      this.#waiting.push({ text, signal, resolve, reject });
      if (!this.#running) void this.#run();
    });
  }

  async #run(): Promise<void> {
    this.#running = true;
    while (this.#waiting.length > 0) {
      await this.#gather();
      const batch = this.#waiting.splice(0, this.#size).filter(({ signal }) => !signal.aborted);
      try {
        const translations = await this.#translator.translate(
          batch.map(({ text }) => text),
          this.#options,
        );
        batch.forEach(({ resolve }, i) => {
          resolve(translations[i]!);
        });
      } catch (error) {
        for (const { reject } of batch) reject(error);
      }
    }
    this.#running = false;
  }

  /** Waits while requests keep arriving, until they fill a batch. */
  async #gather(): Promise<void> {
    for (let before = 0; before < this.#waiting.length && before < this.#size; ) {
      before = this.#waiting.length;
      await turn();
    }
  }
}

/** The event loop's next turn, in which what has arrived is read. */
function turn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
