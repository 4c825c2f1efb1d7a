// One layer: a cell over time.
import type { Lengths, RecurrentWeights } from '@seqloom/tensor-ops';
import { concat, type Tensor3D } from '@tensorflow/tfjs-core';
import type { RecurrentCell } from './cell.js';
import type { CellState } from './state.js';

/** A sequence through a layer: its outputs [B, T, D·H] and the last state of each of its D directions. */
export interface LayerResult {
  output: Tensor3D;
  states: CellState[];
}

/** A sequence x [B, T, I] through a layer, from one initial state a direction or from zeros; `weights` as in `ScanOptions`. */
export type Layer = (
  x: Tensor3D,
  initial: CellState[] | null,
  lengths?: Lengths | undefined,
  weights?: RecurrentWeights | undefined,
) => LayerResult;

/** A layer that reads forward. */
export function unidirectional(cell: RecurrentCell): Layer {
  return (x, initial, lengths, weights) => {
    const { output, state } = cell.scan(x, initial?.[0] ?? null, { lengths, weights });
    return { output, states: [state] };
  };
}

/** A layer of two cells, one of which reads each row from its last real step backwards; outputs side by side, forward first. */
export function bidirectional(forward: RecurrentCell, reverse: RecurrentCell): Layer {
  return (x, initial, lengths) => {
    const there = forward.scan(x, initial?.[0] ?? null, { lengths });
    const back = reverse.scan(x, initial?.[1] ?? null, { lengths, reverse: true });
    return { output: concat([there.output, back.output], 2), states: [there.state, back.state] };
  };
}
