// What a training run tells while it goes on. Steps count from 1, epochs from 0.

/** Measures of a validation by name, such as `loss`. */
export type Metrics = Readonly<Record<string, number>>;

export interface StepEvent {
  readonly type: 'step';
  readonly step: number;
  readonly epoch: number;
  /** Training loss of this step, label smoothing and dropout included. */
  readonly loss: number;
  /** Target tokens of this step. */
  readonly tokens: number;
  /** Target tokens a second since the step before. */
  readonly tokensPerSecond: number;
  readonly learningRate: number;
  /** Before clipping. */
  readonly gradientNorm: number;
}

export interface ValidationEvent {
  readonly type: 'validation';
  readonly step: number;
  readonly epoch: number;
  readonly metrics: Metrics;
  /** Whether the monitored measure is the best so far. */
  readonly best: boolean;
}

export interface CheckpointEvent {
  readonly type: 'checkpoint';
  readonly step: number;
  readonly epoch: number;
  /** Its name in the store. */
  readonly name: string;
  readonly best: boolean;
}

/** Why a run ended. */
export type TrainEnd = 'steps' | 'epochs' | 'time' | 'patience' | 'aborted';

export interface DoneEvent {
  readonly type: 'done';
  readonly step: number;
  readonly epoch: number;
  readonly reason: TrainEnd;
  /** Seconds of this run, not counting the ones it resumed. */
  readonly seconds: number;
}

export type TrainEvent = StepEvent | ValidationEvent | CheckpointEvent | DoneEvent;
