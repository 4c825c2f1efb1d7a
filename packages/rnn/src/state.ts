// What a recurrence carries from step to step: the hidden state, and an LSTM's cell state beside it.
import type { SequenceState } from '@seqloom/tensor-ops';
import { concat, reshape, split, type Tensor2D, type Tensor3D } from '@tensorflow/tfjs-core';

// Type aliases, not interfaces: only those can go through tfjs' tidy.

/** State of one cell, [B, H] or, where a layer runs it, [1, B, H]; `cell` only for the LSTM. */
export type CellState<S extends SequenceState = Tensor2D> = {
  hidden: S;
  cell?: S | undefined;
};

/** State of all layers in PyTorch's order: layer by layer, forward before reverse; `cell` only for the LSTM. */
export type RecurrentState = {
  /** [layers·D, B, H] */
  hidden: Tensor3D;
  /** [layers·D, B, H] */
  cell?: Tensor3D | undefined;
};

/** One state [1, B, H] for each layer and direction. */
export function splitState({ hidden, cell }: RecurrentState): CellState<Tensor3D>[] {
  const cells = cell && slices(cell);
  return slices(hidden).map((h, i) => (cells ? { hidden: h, cell: cells[i]! } : { hidden: h }));
}

/** The states of all layers and directions as one. */
export function joinStates(states: CellState<SequenceState>[]): RecurrentState {
  const hidden = joined(states.map((state) => state.hidden));
  return states[0]?.cell ? { hidden, cell: joined(states.map((state) => state.cell!)) } : { hidden };
}

function slices(state: Tensor3D): Tensor3D[] {
  const [count] = state.shape;
  return count === 1 ? [state] : split(state, count, 0);
}

function joined(states: SequenceState[]): Tensor3D {
  const layered = states.map((state): Tensor3D => {
    const [B, H] = state.shape.slice(-2) as [number, number];
    return state.rank === 2 ? reshape(state, [1, B, H]) : (state as Tensor3D);
  });
  return layered.length === 1 ? layered[0]! : concat(layered, 0);
}
