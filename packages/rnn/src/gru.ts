import { GRUCell } from './cells/gru.js';
import { Recurrent, type RecurrentOptions } from './stacked.js';

export interface GRUOptions extends RecurrentOptions {
  /** As in `GRUCell`: true where left out, which is PyTorch's form. */
  resetAfter?: boolean | undefined;
  /** As in `GRUCell`: false where left out. */
  layerNorm?: boolean | undefined;
}

/**
 * PyTorch's nn.GRU, batch first: h_t = n_t + z_t (h_{t-1} - n_t).
 *
 * @see https://pytorch.org/docs/stable/generated/torch.nn.GRU.html
 * @example
 * const gru = new GRU({ inputSize: 8, hiddenSize: 16, numLayers: 2, bidirectional: true, seed: 1 });
 * const { output, state } = gru.forward(tf.zeros([3, 7, 8]), { lengths: [7, 2, 5] });
 * console.log(output.shape.join(), state.hidden.shape.join()); // → 3,7,32 4,3,16
 */
export class GRU extends Recurrent {
  constructor(options: GRUOptions) {
    const { resetAfter, layerNorm } = options;
    super('GRU', options, false, (cell) => new GRUCell({ ...cell, resetAfter, layerNorm }));
  }
}
