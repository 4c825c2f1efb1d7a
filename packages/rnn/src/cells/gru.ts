import {
  gruSequence,
  inputShape,
  LayerNorm,
  linear,
  packRecurrent,
  type SequenceInput,
  type SequenceState,
  scanSequence,
} from '@seqloom/tensor-ops';
import { add, mul, sigmoid, split, sub, type Tensor2D, tanh, zeros } from '@tensorflow/tfjs-core';
import { type CellOptions, RecurrentCell, type ScanOptions } from '../cell.js';
import type { CellState } from '../state.js';

export interface GRUCellOptions extends CellOptions {
  /** Whether the reset gate scales the product of the state, as in PyTorch (true where left out), or the state, as in Cho et al. 2014. */
  resetAfter?: boolean | undefined;
  /** Whether sums are layer-normalised, which takes the biases' place; false where left out. Only with `resetAfter`. */
  layerNorm?: boolean | undefined;
}

/**
 * h' = n + z (h - n) with gates r, z and n, PyTorch's nn.GRUCell (Cho et al. 2014, eq. 5-8).
 *
 * With `layerNorm`, r, z = σ(norm(W_ih x) + norm(W_hh h)) and n = tanh(norm(W_in x) + r norm(W_hn h)) (Ba et al. 2016, supplement):
 * parameters `norm_ih_gates`, `norm_hh_gates` [2H] for r and z, `norm_ih_new`, `norm_hh_new` [H] for n, each with `weight` and `bias`.
 *
 * @example
 * const cell = new GRUCell({ inputSize: 8, hiddenSize: 16, seed: 1 });
 * const { hidden } = cell.step(tf.zeros([3, 8]), { hidden: tf.zeros([3, 16]) });
 * console.log(hidden.shape.join()); // → 3,16
 */
export class GRUCell extends RecurrentCell {
  private readonly resetAfter: boolean;
  private readonly norms: Record<'ihGates' | 'hhGates' | 'ihNew' | 'hhNew', LayerNorm> | null = null;

  /** @throws Error when layerNorm is asked for without resetAfter */
  constructor({ resetAfter = true, layerNorm = false, ...options }: GRUCellOptions) {
    super(3, layerNorm ? { ...options, bias: false } : options);
    if (layerNorm && !resetAfter) throw new Error('GRUCell: layerNorm needs resetAfter; got resetAfter: false');
    this.resetAfter = resetAfter;
    if (layerNorm) {
      const { hiddenSize: H } = options;
      this.norms = {
        ihGates: this.child('norm_ih_gates', new LayerNorm({ size: 2 * H })),
        hhGates: this.child('norm_hh_gates', new LayerNorm({ size: 2 * H })),
        ihNew: this.child('norm_ih_new', new LayerNorm({ size: H })),
        hhNew: this.child('norm_hh_new', new LayerNorm({ size: H })),
      };
    }
  }

  override scan<X extends SequenceInput, S extends SequenceState = Tensor2D>(
    x: X,
    initial: CellState<S> | null,
    { weights = this.weights(), ...options }: ScanOptions = {},
  ) {
    if (!this.norms) {
      const { resetAfter } = this;
      const { output, state } = gruSequence(x, initial?.hidden ?? null, weights, { ...options, resetAfter });
      return { output, state: { hidden: state } };
    }
    const hidden = initial?.hidden ?? (zeros([inputShape(x)[0], this.hiddenSize]) as S);
    const { output, state } = scanSequence(x, [hidden], (x, [h]) => [this.normalised(x, h!)], options);
    return { output, state: { hidden: state[0]! } };
  }

  override pack() {
    return this.norms ? null : packRecurrent('gru', this.weights(), { resetAfter: this.resetAfter });
  }

  /** A layer-normalised step in tfjs ops. */
  private normalised(x: Tensor2D, h: Tensor2D): Tensor2D {
    const { weightIh, weightHh } = this.weights();
    const { ihGates, hhGates, ihNew, hhNew } = this.norms!;
    const H = this.hiddenSize;
    const parts = (sums: Tensor2D) => split(sums, [2 * H, H], 1) as [Tensor2D, Tensor2D];
    const [xGates, xNew] = parts(linear(x, weightIh) as Tensor2D);
    const [hGates, hNew] = parts(linear(h, weightHh) as Tensor2D);
    const [r, z] = split(sigmoid(add(ihGates.forward(xGates), hhGates.forward(hGates))), 2, 1) as [Tensor2D, Tensor2D];
    const n = tanh(add(ihNew.forward(xNew), mul(r, hhNew.forward(hNew))));
    return add(n, mul(z, sub(h, n))) as Tensor2D;
  }
}
