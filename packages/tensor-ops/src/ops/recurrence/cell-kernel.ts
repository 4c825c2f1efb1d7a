// A recurrent cell as its kernels see it. The real steps of a batch are packed (see schedule.ts), each as one row of slots of H
// floats: first the sums of the gates, which the cell's pointwise kernel turns into whatever the backward pass needs; that
// pass puts the gradients of the sums in their place.
import type { KernelExports } from '../../wasm/kernel-exports.generated.js';
import type { Lookup } from './lookup.js';
import type { Schedule } from './schedule.js';

/** Gates [first, first + count) of a weight, whose sums lie in a packed row from slot `slot` on. */
export interface GateBlock {
  first: number;
  count: number;
  slot: number;
}

/** A block of the recurrent weight; `source` is the slot of what it multiplied, for the weight's gradient. */
export interface RecurrentBlock extends GateBlock {
  source: number;
}

export interface CellKernel {
  /** Slots of a packed row. */
  slots: number;
  /** How many of them, from the first on, are sums before a step, and the gradients of those sums in the end. */
  gateSlots: number;
  input: GateBlock[];
  recurrent: RecurrentBlock[];
  forward(step: ForwardStep): void;
  backward(step: BackwardStep): void;
}

/** Which rows of the batch a step visits. */
type Place = [order: number, t: number, T: number, rows: number, H: number];

/** One time of the forward pass; addresses of packed rows are of this time's first. */
export interface ForwardStep {
  k: KernelExports;
  place: Place;
  packed: number;
  /** Running states, one row a place in `order`. */
  states: number[];
  output: number;
  attributes: SequenceAttributes;
  /** Adds the product of the rows at `from`, `ld` floats apart, and recurrent block i to the block's slots. */
  product(i: number, from: number, ld: number): void;
}

/** One time of the backward pass. */
export interface BackwardStep {
  k: KernelExports;
  place: Place;
  packed: number;
  stateGradients: number[];
  outputGradient: number;
  attributes: SequenceAttributes;
  /** The product of block i's gradients and its weight: stored in, or added to, the rows at `to`, `ld` floats apart. */
  product(i: number, to: number, ld: number, accumulate: boolean): void;
}

/** What the sequence ops hand to their kernels. */
export interface SequenceAttributes {
  /** B and T. */
  shape: readonly [number, number];
  schedule: Schedule;
  /** Where the steps are rows of x, the table; without it x is [B, T, I]. */
  lookup?: Lookup;
  /** Whether no initial state was given. */
  fromZeros: boolean;
  reverse: boolean;
  /** Whether a gradient may be asked for, so that the packed rows have to stay. */
  keep: boolean;
  relu?: boolean;
  resetAfter?: boolean;
}

/** The cell that the attributes ask for. */
export type CellOf = (attributes: SequenceAttributes) => CellKernel;
