// What every decoder does, whatever is inside: read target tokens all at once (training) or one at a time (search).
import { type DropoutKey, Module, type Parameter } from '@seqloom/tensor-ops';
import type { Tensor, Tensor1D, Tensor2D, Tensor3D } from '@tensorflow/tfjs-core';
import type { Encoded } from '../encoder.js';
import type { StepWeights } from '../step-weights.js';

/** What a decoder keeps of the source: computed once, the same at every step. B rows, and whatever else a decoder needs. */
export interface DecoderMemory {
  /** [B, S], true on real tokens. */
  readonly mask: Tensor2D;
  /** Source ids int32 [B, S]. */
  readonly source: Tensor2D;
}

/** What changes from step to step, by name. R rows; `batchAxis` says where they lie. */
export type DecoderState = Readonly<Record<string, Tensor>>;

/** All positions of the target at once. */
export interface Decoded {
  /** [B, T, F]: what the output layer reads. */
  readonly features: Tensor3D;
  /** [B, T, S], or null without attention. */
  readonly weights: Tensor3D | null;
}

/** One position. */
export interface DecodedStep {
  /** [R, F] */
  readonly features: Tensor2D;
  /** [R, S], or null without attention. */
  readonly weights: Tensor2D | null;
  readonly state: DecoderState;
}

/**
 * A decoder. `forward` and `step` are the same function of the tokens so far: the first sees whole targets, the second one
 * token a row. In `step` the rows of one source lie together: R = B · k rows share a memory of B rows.
 */
export abstract class Decoder extends Module {
  /** F, the width of the features. */
  abstract readonly featureSize: number;
  /** The target embedding's weight [V, E]. */
  abstract readonly embeddingWeight: Parameter;

  /** Most target tokens it can read, `<bos>` counted. */
  get longestTarget(): number {
    return Number.POSITIVE_INFINITY;
  }

  /** Memory and first state for encoded sources. */
  abstract start(encoded: Encoded): { memory: DecoderMemory; state: DecoderState };

  /** Teacher forcing: tokens int32 [B, T], `<bos>` first. */
  abstract forward(tokens: Tensor2D, memory: DecoderMemory, state: DecoderState, dropout?: DropoutKey): Decoded;

  /**
   * One step: tokens int32 [R], the last token of each row.
   *
   * @param weights laid out for many steps; the parameters themselves where left out
   */
  abstract step(tokens: Tensor1D, memory: DecoderMemory, state: DecoderState, weights?: StepWeights): DecodedStep;
}
