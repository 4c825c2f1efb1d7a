import type { AttentionMap } from '../attention-map/attention-map.js';

/** One training step as the log keeps it. */
export interface StepRecord {
  readonly step: number;
  readonly epoch: number;
  readonly loss: number;
  readonly learningRate: number;
  readonly tokensPerSecond: number;
  readonly gradientNorm: number;
}

/** A sentence of the validation part as the model translated it at some moment. */
export interface SampleRecord {
  readonly source: string;
  readonly reference: string;
  readonly hypothesis: string;
  /** Null for models without attention. */
  readonly attention: AttentionMap | null;
}

export interface ScoreRecord {
  readonly score: number;
  readonly signature?: string;
}

export interface ValidationRecord {
  readonly step: number;
  readonly epoch: number;
  readonly loss: number;
  readonly accuracy: number;
  readonly scores: Readonly<Record<string, ScoreRecord>>;
  readonly samples: readonly SampleRecord[];
}

/** Everything a report shows of one run. */
export interface RunReport {
  readonly name: string;
  readonly steps: readonly StepRecord[];
  readonly validations: readonly ValidationRecord[];
  /** Scores of the finished model by part of the data (`test`, `valid`). */
  readonly results: Readonly<Record<string, Readonly<Record<string, ScoreRecord>>>>;
  /** How many training pairs have a side of 0, 1, 2, … pieces; empty where an old log does not say. */
  readonly lengths: { readonly source: readonly number[]; readonly target: readonly number[] };
  /** Facts in the order they are shown. */
  readonly facts: readonly { readonly label: { readonly en: string; readonly zh: string }; readonly value: string }[];
  /** The resolved config as YAML. */
  readonly config: string;
}
