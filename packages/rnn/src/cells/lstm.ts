import {
  deriveSeed,
  inputShape,
  LayerNorm,
  linear,
  lstmSequence,
  type Parameter,
  packRecurrent,
  type SequenceInput,
  type SequenceState,
  scanSequence,
  uniformParameter,
} from '@seqloom/tensor-ops';
import { add, mul, sigmoid, split, type Tensor1D, type Tensor2D, tanh, zeros } from '@tensorflow/tfjs-core';
import { type CellOptions, RecurrentCell, type ScanOptions } from '../cell.js';
import type { CellState } from '../state.js';

export interface LSTMCellOptions extends CellOptions {
  /** Whether the gates see the cell state; false where left out. */
  peephole?: boolean | undefined;
  /** Whether gate sums and cell state are layer-normalised, which takes the biases' place; false where left out. */
  layerNorm?: boolean | undefined;
}

/**
 * c' = σ(f) c + σ(i) tanh(g), h' = σ(o) tanh(c'), PyTorch's nn.LSTMCell (Hochreiter & Schmidhuber 1997; Gers et al. 2000).
 *
 * With `peephole`, i and f also see p_i c and p_f c, o sees p_o c' (Gers et al. 2002): parameter `weight_peephole` [3H], order
 * i, f, o. With `layerNorm`, i, f, g, o = norm(W_ih x) + norm(W_hh h) and h' = σ(o) tanh(norm(c')) (Ba et al. 2016, eq. 29-31):
 * parameters `norm_ih`, `norm_hh` [4H] and `norm_cell` [H], each with `weight` and `bias`.
 */
export class LSTMCell extends RecurrentCell {
  private readonly peephole: Parameter | null = null;
  private readonly norms: { ih: LayerNorm; hh: LayerNorm; cell: LayerNorm } | null = null;

  constructor({ peephole = false, layerNorm = false, ...options }: LSTMCellOptions) {
    super(4, layerNorm ? { ...options, bias: false } : options);
    const { hiddenSize: H, seed } = options;
    if (peephole) {
      const drawn = uniformParameter([3 * H], 1 / Math.sqrt(H), deriveSeed(seed, 'weight_peephole'));
      this.peephole = this.own('weight_peephole', drawn);
    }
    if (layerNorm) {
      this.norms = {
        ih: this.child('norm_ih', new LayerNorm({ size: 4 * H })),
        hh: this.child('norm_hh', new LayerNorm({ size: 4 * H })),
        cell: this.child('norm_cell', new LayerNorm({ size: H })),
      };
    }
  }

  override scan<X extends SequenceInput, S extends SequenceState = Tensor2D>(
    x: X,
    initial: CellState<S> | null,
    { weights = this.weights(), ...options }: ScanOptions = {},
  ) {
    const nothing = () => zeros(initial?.hidden.shape ?? [inputShape(x)[0], this.hiddenSize]) as S;
    const start = initial && { hidden: initial.hidden, cell: initial.cell ?? nothing() };
    if (!this.peephole && !this.norms) return lstmSequence(x, start, weights, options);
    const { hidden, cell } = start ?? { hidden: nothing(), cell: nothing() };
    const { output, state } = scanSequence(x, [hidden, cell], (x, [h, c]) => this.advance(x, h!, c!), options);
    return { output, state: { hidden: state[0]!, cell: state[1]! } };
  }

  override pack() {
    return this.peephole || this.norms ? null : packRecurrent('lstm', this.weights());
  }

  /** A step in tfjs ops. */
  private advance(x: Tensor2D, h: Tensor2D, c: Tensor2D): Tensor2D[] {
    const { weightIh, weightHh, biasIh, biasHh } = this.weights();
    const fromInput = linear(x, weightIh, biasIh);
    const fromState = linear(h, weightHh, biasHh);
    const { norms } = this;
    const sums = norms ? add(norms.ih.forward(fromInput), norms.hh.forward(fromState)) : add(fromInput, fromState);
    const [i, f, g, o] = split(sums, 4, 1) as [Tensor2D, Tensor2D, Tensor2D, Tensor2D];
    const [pi, pf, po] = this.peephole ? (split(this.peephole, 3) as Tensor1D[]) : [];
    const gate = (sum: Tensor2D, peephole: Tensor1D | undefined, cell: Tensor2D) =>
      sigmoid(peephole ? add(sum, mul(peephole, cell)) : sum);
    const next = add(mul(gate(f, pf, c), c), mul(gate(i, pi, c), tanh(g))) as Tensor2D;
    const shown = norms ? norms.cell.forward(next) : next;
    return [mul(gate(o, po, next), tanh(shown)) as Tensor2D, next];
  }
}
