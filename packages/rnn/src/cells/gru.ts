import { gruSequence, type SequenceOptions } from '@seqloom/tensor-ops';
import type { Tensor3D } from '@tensorflow/tfjs-core';
import { type CellOptions, RecurrentCell } from '../cell.js';
import type { CellState } from '../state.js';

export interface GRUCellOptions extends CellOptions {
  /** Whether the reset gate scales the product of the state, as in PyTorch (true where left out), or the state, as in Cho et al. 2014. */
  resetAfter?: boolean | undefined;
}

/** h' = n + z (h - n) with gates r, z and n, PyTorch's nn.GRUCell (Cho et al. 2014, eq. 5-8). */
export class GRUCell extends RecurrentCell {
  private readonly resetAfter: boolean;

  constructor({ resetAfter = true, ...options }: GRUCellOptions) {
    super(3, options);
    this.resetAfter = resetAfter;
  }

  override scan(x: Tensor3D, initial: CellState | null, options?: SequenceOptions) {
    const { resetAfter } = this;
    const { output, state } = gruSequence(x, initial?.hidden ?? null, this.weights(), { ...options, resetAfter });
    return { output, state: { hidden: state } };
  }
}
