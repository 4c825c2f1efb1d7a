// From what a decoder gives to the loss of its targets and to scores over the target vocabulary.
import { Module, type TargetScores } from '@seqloom/tensor-ops';
import { reshape, type Scalar, type Tensor, type Tensor1D, type Tensor2D } from '@tensorflow/tfjs-core';
import type { StepWeights } from '../step-weights.js';

/** The target of a row that is padding. */
export const IGNORED = -1;

/** Rows to score: N of them in the loss, R in a step of search. */
export interface OutputRows {
  /** [..., F], N rows */
  readonly features: Tensor;
  /** [N, S], or null without attention. */
  readonly weights: Tensor2D | null;
  /** Source ids int32 [B, S]; the rows of a source lie together, N / B of them. */
  readonly source: Tensor2D;
}

/** [..., F] → [N, F]. */
export function flatRows(x: Tensor): Tensor2D {
  return x.rank === 2 ? (x as Tensor2D) : reshape(x, [-1, x.shape.at(-1)!]);
}

export abstract class Output extends Module {
  /** Sum of −log P(target) over rows, over `divisor`; targets int32 [N], rows with `IGNORED` count for nothing. */
  abstract loss(rows: OutputRows, targets: Tensor1D, options: { labelSmoothing: number; divisor: number }): Scalar;

  /** The sum without smoothing and gradients, and how many targets were the most probable token. */
  abstract score(rows: OutputRows, targets: Tensor1D): TargetScores;

  /** log P of every token, [..., V] or [N, V]. */
  abstract logProbabilities(rows: OutputRows, weights?: StepWeights): Tensor;
}
