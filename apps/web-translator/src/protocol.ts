// What the page and its workers say to each other. A worker holds one model, or trains one.
import type { BackendInfo } from '@seqloom/tensor-ops';
import type { AttentionMap } from './attention-svg.js';
import type { Failure } from './failure.js';

/** Where a model folder comes from: an address, or files of the user's, which may be one zip. */
export type ModelSource = { url: string } | { files: File[]; name?: string };

/** `int8` rounds linear layers, for speed. */
export type Precision = 'float32' | 'int8';

export type ToWorker =
  | { type: 'load'; source: ModelSource; precision: Precision }
  | { type: 'translate'; id: number; text: string; beam: number }
  | { type: 'cancel'; id: number }
  | { type: 'train'; request: TrainingRequest }
  | { type: 'stop' };

export type FromWorker =
  | { type: 'loading'; share: number }
  | { type: 'ready'; status: Status }
  | { type: 'sentence'; id: number; sentence: Sentence }
  | { type: 'done'; id: number; milliseconds: number; cancelled: boolean }
  | { type: 'failed'; failure: Failure }
  | TrainingMessage;

/** What runs, and on what. */
export interface Status {
  backend: BackendInfo;
  model: string;
  parameters: number;
  /** Language tags; null where a side is no language. */
  sourceLanguage: string | null;
  targetLanguage: string | null;
}

/** A translation and what each of its pieces looked at. */
export interface Translated {
  text: string;
  /** The target's pieces. */
  target: string[];
  /** One row a target piece, one weight a source piece; empty for a model without attention. */
  weights: number[][];
}

/** One sentence as far as it is translated: sent again at every token. */
export interface Sentence extends Translated {
  index: number;
  /** The source's pieces as they stand in the text. */
  source: string[];
  /** What the search found, best first, once it is over; `score` is the mean log-probability of a piece. */
  hypotheses: (Translated & { score: number })[];
  /** The source was longer than the model takes and was cut after this many pieces; null where it was not. */
  cutAt: number | null;
}

/** What to train on, and for how long. */
export interface TrainingRequest {
  /** The address of a two-column file, or one that the user picked. */
  corpus: string | File;
  /** Language tags of the columns; null where they are no languages. */
  languages: [first: string | null, second: string | null];
  /** Translate the second column into the first. */
  backward: boolean;
  pieces: 'words' | 'characters';
  epochs: number;
}

export type TrainingMessage =
  | { type: 'prepared'; pairs: number; dropped: number; parameters: number; steps: number }
  | { type: 'step'; step: number; loss: number; tokensPerSecond: number }
  | {
      type: 'validation';
      step: number;
      loss: number;
      /** How many of the held-out sentences are translated exactly as the reference. */
      exact: number;
      of: number;
      /** The first of them. */
      samples: Sample[];
      /** What the pieces of the very first look at. */
      attention: AttentionMap;
    }
  | { type: 'trained'; files: File[]; zip: Blob; stopped: boolean };

/** A sentence that is held out of training, and how the model translates it so far. */
export interface Sample {
  source: string;
  reference: string;
  translation: string;
}
