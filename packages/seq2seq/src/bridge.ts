// From what the encoder ended with to what the decoder begins with.
import type { RecurrentState } from '@seqloom/rnn';
import { deriveSeed, Linear, Module } from '@seqloom/tensor-ops';
import {
  concat,
  div,
  reshape,
  slice,
  stack,
  sum,
  type Tensor2D,
  type Tensor3D,
  tanh,
  tensor2d,
  zeros,
} from '@tensorflow/tfjs-core';
import type { Encoded } from './encoder.js';

export interface BridgeOptions {
  kind: 'zero' | 'last' | 'mean' | 'dense';
  /** The encoder's directions, 1 or 2. */
  directions: 1 | 2;
  encoderLayers: number;
  /** M, both directions together. */
  encoderSize: number;
  decoderLayers: number;
  decoderSize: number;
  /** Whether the decoder's cell keeps a cell state (LSTM). */
  hasCell: boolean;
  seed: number;
}

/**
 * The decoder's first state, one of
 * - `zero`: zeros;
 * - `last`: the encoder's last states of its topmost layers, both directions side by side;
 * - `mean`: tanh(W h̄ + b) of the mean encoder output (Sennrich et al. 2017, Nematus);
 * - `dense`: tanh(W h + b) of the topmost layer's last state (Bahdanau et al. 2015, A.2.2, there of the backward one).
 *
 * `mean` and `dense` have one pair `hidden_l0.weight` [H, M], `hidden_l0.bias` a decoder layer, and with an LSTM decoder
 * the same for `cell_l0`, which is not squashed.
 */
export class Bridge extends Module {
  private readonly options: BridgeOptions;
  private readonly hidden: Linear[] = [];
  private readonly cell: Linear[] = [];

  constructor(options: BridgeOptions) {
    super();
    this.options = options;
    if (options.kind !== 'mean' && options.kind !== 'dense') return;
    for (let layer = 0; layer < options.decoderLayers; layer++) {
      this.hidden.push(this.layer(`hidden_l${layer}`));
      if (options.hasCell) this.cell.push(this.layer(`cell_l${layer}`));
    }
  }

  private layer(name: string): Linear {
    const { encoderSize, decoderSize, seed } = this.options;
    return this.child(
      name,
      new Linear({ inputSize: encoderSize, outputSize: decoderSize, seed: deriveSeed(seed, name) }),
    );
  }

  /** The first state: hidden [layers, B, H], and cell where the decoder has one. */
  forward(encoded: Encoded): RecurrentState {
    const { kind, decoderLayers, decoderSize, hasCell } = this.options;
    const rows = encoded.lengths.length;
    const none = (): Tensor3D => zeros([decoderLayers, rows, decoderSize]);
    if (kind === 'zero') return hasCell ? { hidden: none(), cell: none() } : { hidden: none() };
    const { hidden, cell } = encoded.state!;
    if (kind === 'last') {
      const first = this.topLayers(hidden);
      return hasCell ? { hidden: first, cell: cell ? this.topLayers(cell) : none() } : { hidden: first };
    }
    const summary = kind === 'mean' ? meanOutput(encoded) : this.topLayer(hidden); // [B, M]
    const first = stack(this.hidden.map((layer) => tanh(layer.forward(summary)))) as Tensor3D;
    if (!hasCell) return { hidden: first };
    const cellSummary = kind === 'dense' && cell ? this.topLayer(cell) : summary;
    return { hidden: first, cell: stack(this.cell.map((layer) => layer.forward(cellSummary))) as Tensor3D };
  }

  /** [encoder layers · directions, B, H] → [decoder layers, B, directions · H] of the topmost layers. */
  private topLayers(state: Tensor3D): Tensor3D {
    const { directions, encoderLayers, decoderLayers } = this.options;
    const skipped = encoderLayers - decoderLayers;
    if (directions === 1) return skipped === 0 ? state : slice(state, [skipped, 0, 0], [decoderLayers, -1, -1]);
    const layers: Tensor2D[] = [];
    for (let layer = skipped; layer < encoderLayers; layer++) layers.push(sideBySide(state, layer));
    return stack(layers) as Tensor3D;
  }

  private topLayer(state: Tensor3D): Tensor2D {
    return lastLayer(state, this.options.directions);
  }
}

/** The topmost layer's last state [B, M], directions side by side. */
export function lastLayer(state: Tensor3D, directions: 1 | 2): Tensor2D {
  const layer = state.shape[0] / directions - 1;
  if (directions === 2) return sideBySide(state, layer);
  const top = layer === 0 ? state : slice(state, [layer, 0, 0], [1, -1, -1]);
  return reshape(top, [state.shape[1], state.shape[2]]);
}

/** States are layer by layer, forward before backward: [2·layers, B, H] → [B, 2H] of one layer. */
function sideBySide(state: Tensor3D, layer: number): Tensor2D {
  const [, rows, size] = state.shape;
  const direction = (index: number): Tensor2D => reshape(slice(state, [index, 0, 0], [1, -1, -1]), [rows, size]);
  return concat([direction(2 * layer), direction(2 * layer + 1)], 1);
}

/** Mean of the real outputs of each row [B, M]; zero for an empty row. The outputs after a row's end are zero already. */
function meanOutput({ output, lengths }: Encoded): Tensor2D {
  const counts = tensor2d(
    Float32Array.from(lengths, (length) => Math.max(1, length)),
    [lengths.length, 1],
  );
  return div(sum(output, 1), counts);
}
