// What a recurrence carries from step to step: the hidden state, and an LSTM's cell state beside it.
import { reshape, stack, type Tensor, type Tensor2D, type Tensor3D, unstack } from '@tensorflow/tfjs-core';

// Type aliases, not interfaces: only those can go through tfjs' tidy.

/** State of one cell; `cell` only for the LSTM. */
export type CellState = {
  /** [B, H] */
  hidden: Tensor2D;
  /** [B, H] */
  cell?: Tensor2D | undefined;
};

/** State of all layers in PyTorch's order: layer by layer, forward before reverse; `cell` only for the LSTM. */
export type RecurrentState = {
  /** [layers·D, B, H] */
  hidden: Tensor3D;
  /** [layers·D, B, H] */
  cell?: Tensor3D | undefined;
};

/** One state for each layer and direction. */
export function splitState({ hidden, cell }: RecurrentState): CellState[] {
  const cells = cell && slices(cell);
  return slices(hidden).map((h, i) => (cells ? { hidden: h, cell: cells[i]! } : { hidden: h }));
}

/** The states of all layers and directions as one. */
export function joinStates(states: CellState[]): RecurrentState {
  const hidden = joined(states.map((state) => state.hidden));
  return states[0]?.cell ? { hidden, cell: joined(states.map((state) => state.cell!)) } : { hidden };
}

/** unstack, without a copy where there is one. */
function slices(state: Tensor3D): Tensor2D[] {
  return state.shape[0] === 1
    ? [reshape(state, [state.shape[1], state.shape[2]])]
    : (unstack(state as Tensor, 0) as Tensor2D[]);
}

function joined(states: Tensor2D[]): Tensor3D {
  const [first] = states as [Tensor2D];
  return states.length === 1 ? reshape(first, [1, first.shape[0], first.shape[1]]) : (stack(states, 0) as Tensor3D);
}
