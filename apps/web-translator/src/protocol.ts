// What the page and its worker say to each other. One translation has one `id`; a long text is several sentences.

export type ToWorker =
  | { type: 'load'; url: string }
  | { type: 'load-files'; files: File[] }
  | { type: 'translate'; id: number; text: string; beam: number }
  | { type: 'cancel'; id: number };

export type FromWorker =
  | { type: 'ready'; status: Status }
  | { type: 'sentence'; id: number; sentence: Sentence }
  | { type: 'done'; id: number; milliseconds: number; cancelled: boolean }
  | { type: 'failed'; id: number | null; message: string };

/** What runs, and on what. */
export interface Status {
  backend: string;
  reason: string;
  model: string;
  parameters: number;
}

/** One sentence as far as it is translated: sent again at every token. */
export interface Sentence {
  index: number;
  /** The source's pieces as they stand in the text. */
  source: string[];
  /** The target's pieces so far, the end sign last. */
  target: string[];
  /** One row a target piece, one weight a source piece; empty for a model without attention. */
  weights: number[][];
  translation: string;
  /** The source was longer than the model takes and was cut after this many pieces; null where it was not. */
  cutAt: number | null;
  done: boolean;
}
