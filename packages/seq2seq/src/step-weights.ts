// Weights laid out once for the many small products of a search.
import type { Recurrent } from '@seqloom/rnn';
import { linearPacked, type PackedWeight, type Parameter, type Precision, packLinear } from '@seqloom/tensor-ops';
import type { Tensor, Tensor1D, Tensor2D } from '@tensorflow/tfjs-core';

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
   * log softmax(x Wᵀ + b) of the output layer, most of the work of a large vocabulary. In 8 bits the likely tokens, those that search
   * can choose from, are computed again in floats: rounding then changes a translation only where a probability of almost nothing does.
   */
  logProbabilities(x: Tensor, { weight, bias }: LinearWeights): Tensor {
    const packed = this.packed(weight, this.precision);
    return linearPacked(x, packed, (bias ?? undefined) as Tensor1D | undefined, { logSoftmax: true });
  }

  /** What recurrent layers take as `prepared`. */
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
    const packed = packLinear(weight as unknown as Tensor2D, { precision, refined: REFINED });
    this.linears.set(weight, packed);
    return packed;
  }

  dispose(): void {
    for (const weights of [...this.linears.values(), ...this.recurrent.values()]) weights.dispose();
    this.linears.clear();
    this.recurrent.clear();
  }
}
