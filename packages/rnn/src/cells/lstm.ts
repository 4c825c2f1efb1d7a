import { lstmSequence, type SequenceOptions } from '@seqloom/tensor-ops';
import { type Tensor3D, zerosLike } from '@tensorflow/tfjs-core';
import { type CellOptions, RecurrentCell } from '../cell.js';
import type { CellState } from '../state.js';

/** c' = σ(f) c + σ(i) tanh(g), h' = σ(o) tanh(c'), PyTorch's nn.LSTMCell (Hochreiter & Schmidhuber 1997; Gers et al. 2000). */
export class LSTMCell extends RecurrentCell {
  constructor(options: CellOptions) {
    super(4, options);
  }

  override scan(x: Tensor3D, initial: CellState | null, options?: SequenceOptions) {
    const start = initial && { hidden: initial.hidden, cell: initial.cell ?? zerosLike(initial.hidden) };
    return lstmSequence(x, start, this.weights(), options);
  }
}
