// Weights laid out once for the many small products of a search.
import type { Recurrent } from '@seqloom/rnn';
import { linearPacked, type PackedWeight, type Parameter, type Precision, packLinear } from '@seqloom/tensor-ops';
import type { Tensor, Tensor1D, Tensor2D } from '@tensorflow/tfjs-core';

/** A linear layer's parameters. */
export interface LinearWeights {
  readonly weight: Parameter;
  readonly bias: Parameter | null;
}

/** Lays out each weight when it is first used. The model must not be trained meanwhile. Free it with `dispose`. */
export class StepWeights {
  private readonly linears = new Map<Parameter, PackedWeight>();
  private readonly recurrent = new Map<Recurrent, ReturnType<Recurrent['prepare']>>();

  /** @param precision of linear layers; recurrent weights stay floats, as their errors would add up from step to step */
  constructor(private readonly precision: Precision = 'float32') {}

  /** x Wᵀ + b. */
  linear(x: Tensor, { weight, bias }: LinearWeights): Tensor {
    let packed = this.linears.get(weight);
    if (!packed) {
      packed = packLinear(weight as unknown as Tensor2D, { precision: this.precision });
      this.linears.set(weight, packed);
    }
    return linearPacked(x, packed, (bias ?? undefined) as Tensor1D | undefined);
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

  dispose(): void {
    for (const weights of [...this.linears.values(), ...this.recurrent.values()]) weights.dispose();
    this.linears.clear();
    this.recurrent.clear();
  }
}
