// Weights laid out once for the many small products of a search.
import type { Recurrent } from '@seqloom/rnn';
import {
  linearPacked,
  type PackedWeight,
  type Parameter,
  type Precision,
  packLinear,
  refineLargest,
} from '@seqloom/tensor-ops';
import { type Tensor, type Tensor1D, type Tensor2D, tidy } from '@tensorflow/tfjs-core';

/** So many of a row's scores are exact in 8 bits too: more than any search looks at. */
const REFINED = 32;

/** A linear layer's parameters. */
export interface LinearWeights {
  readonly weight: Parameter;
  readonly bias: Parameter | null;
}

/** Lays out each weight when it is first used. The model must not be trained meanwhile. Free it with `dispose`. */
export class StepWeights {
  private readonly linears = new Map<Parameter, PackedWeight>();
  private readonly recurrent = new Map<Recurrent, ReturnType<Recurrent['prepare']>>();

  /** @param precision of the output layer; what comes before stays floats, as its errors would add up from step to step */
  constructor(private readonly precision: Precision = 'float32') {}

  /** x Wᵀ + b. */
  linear(x: Tensor, { weight, bias }: LinearWeights): Tensor {
    return linearPacked(x, this.packed(weight, 'float32'), (bias ?? undefined) as Tensor1D | undefined);
  }

  /**
   * x Wᵀ + b of the output layer, most of the work of a large vocabulary. In 8 bits the likely tokens, those that search can
   * choose from, are computed again in floats: rounding then changes a translation only where a probability of almost nothing does.
   */
  scores(x: Tensor, { weight, bias }: LinearWeights): Tensor {
    const offset = (bias ?? undefined) as Tensor1D | undefined;
    return tidy(() => {
      const y = linearPacked(x, this.packed(weight, this.precision), offset);
      return this.precision === 'int8' ? refineLargest(y, x, weight as unknown as Tensor2D, offset, REFINED) : y;
    });
  }

  /** What `rnn.step` takes. */
  prepared(rnn: Recurrent): ReturnType<Recurrent['prepare']> {
    let prepared = this.recurrent.get(rnn);
    if (!prepared) {
      prepared = rnn.prepare();
      this.recurrent.set(rnn, prepared);
    }
    return prepared;
  }

  private packed(weight: Parameter, precision: Precision): PackedWeight {
    const known = this.linears.get(weight);
    if (known) return known;
    const packed = packLinear(weight as unknown as Tensor2D, { precision });
    this.linears.set(weight, packed);
    return packed;
  }

  dispose(): void {
    for (const weights of [...this.linears.values(), ...this.recurrent.values()]) weights.dispose();
    this.linears.clear();
    this.recurrent.clear();
  }
}
