// A cell: parameters and the mathematics of a step. Time, directions and layers are not its business.
import {
  deriveSeed,
  Module,
  type Parameter,
  type RecurrentWeights,
  type SequenceInput,
  type SequenceOptions,
  type SequenceOutput,
  type SequenceState,
  uniformParameter,
} from '@seqloom/tensor-ops';
import { type Tensor1D, type Tensor2D, tidy } from '@tensorflow/tfjs-core';
import type { CellState } from './state.js';

/** Sizes of a cell; `bias` defaults to true. */
export interface CellOptions {
  inputSize: number;
  hiddenSize: number;
  bias?: boolean | undefined;
  seed: number;
}

/** How a cell goes over time; `weights` are its own, packed by `pack`. */
export interface ScanOptions extends SequenceOptions {
  weights?: RecurrentWeights | undefined;
}

/**
 * A cell with PyTorch's parameters: `weight_ih` [G·H, I], `weight_hh` [G·H, H], `bias_ih` and `bias_hh` [G·H] for its G gates,
 * all from U(-1/√H, 1/√H).
 */
export abstract class RecurrentCell extends Module {
  readonly inputSize: number;
  readonly hiddenSize: number;
  private readonly weightIh: Parameter;
  private readonly weightHh: Parameter;
  private readonly biasIh: Parameter | null;
  private readonly biasHh: Parameter | null;

  constructor(gates: number, { inputSize, hiddenSize, bias = true, seed }: CellOptions) {
    super();
    for (const [name, size] of Object.entries({ inputSize, hiddenSize })) {
      if (!Number.isInteger(size) || size < 1) {
        throw new Error(`${new.target.name}: ${name} must be a whole number above 0; got ${size}`);
      }
    }
    this.inputSize = inputSize;
    this.hiddenSize = hiddenSize;
    const bound = 1 / Math.sqrt(hiddenSize);
    const draw = (name: string, shape: number[]) =>
      this.own(name, uniformParameter(shape, bound, deriveSeed(seed, name)));
    const rows = gates * hiddenSize;
    this.weightIh = draw('weight_ih', [rows, inputSize]);
    this.weightHh = draw('weight_hh', [rows, hiddenSize]);
    this.biasIh = bias ? draw('bias_ih', [rows]) : null;
    this.biasHh = bias ? draw('bias_hh', [rows]) : null;
  }

  /**
   * The cell over time.
   *
   * @param x [B, T, I], or [B, I] for one step; or the same as rows of a table
   * @param initial hidden (and cell) state [B, H] or [1, B, H]; zeros where null
   * @returns output [B, T, H], zero after each row's length, or [B, H] for one step [B, I]; the state after each row's last real
   *   step, of the initial one's shape
   */
  abstract scan<X extends SequenceInput, S extends SequenceState = Tensor2D>(
    x: X,
    initial: CellState<S> | null,
    options?: ScanOptions,
  ): { output: SequenceOutput<X>; state: CellState<S> };

  /** The weights as they are now in the layout of fast steps, for the caller to dispose; null where the cell has no such. */
  abstract pack(): RecurrentWeights | null;

  /**
   * One step.
   *
   * @param x [B, I]
   * @param state hidden (and cell) state [B, H]
   * @returns the next state; its `hidden` is the cell's output
   * @throws Error when x or the state do not fit
   */
  step(x: Tensor2D, state: CellState): CellState {
    if (x.rank !== 2 || x.shape[1] !== this.inputSize) {
      throw new Error(`${this.constructor.name}.step: x must be [B, ${this.inputSize}]; got [${x.shape}]`);
    }
    return tidy(() => this.scan(x, state).state);
  }

  /** The parameters as the sequence ops take them. */
  protected weights(): RecurrentWeights {
    return {
      weightIh: this.weightIh as unknown as Tensor2D,
      weightHh: this.weightHh as unknown as Tensor2D,
      biasIh: (this.biasIh ?? undefined) as Tensor1D | undefined,
      biasHh: (this.biasHh ?? undefined) as Tensor1D | undefined,
    };
  }
}
