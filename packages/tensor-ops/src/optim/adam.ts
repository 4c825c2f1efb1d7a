import { add, div, mul, sqrt, square, sub, type Tensor, tidy } from '@tensorflow/tfjs-core';
import type { Parameter } from '../nn/parameter.js';
import { address } from '../wasm/heap.js';
import { kernels } from '../wasm/kernels.js';
import { Optimizer } from './optimizer.js';

/** Settings of Adam and AdamW; names and defaults are PyTorch's. */
export interface AdamOptions {
  learningRate?: number;
  /** Decay of the running mean and of the running mean square. */
  betas?: readonly [number, number];
  /** Added to the root of the mean square. */
  epsilon?: number;
  weightDecay?: number;
}

const MEAN = 'exp_avg';
const SQUARE = 'exp_avg_sq';

/** A step's constants, from the whole number of steps: no power is carried along, so resuming changes nothing. */
interface Corrections {
  rate: number;
  inverseRoot: number;
}

abstract class AdamBase extends Optimizer {
  protected readonly betas: readonly [number, number];
  protected readonly epsilon: number;
  protected readonly weightDecay: number;

  protected constructor(parameters: readonly Parameter[], options: AdamOptions, weightDecay: number) {
    const { learningRate = 1e-3, betas = [0.9, 0.999], epsilon = 1e-8 } = options;
    super(parameters, learningRate, [MEAN, SQUARE]);
    this.betas = betas;
    this.epsilon = epsilon;
    this.weightDecay = options.weightDecay ?? weightDecay;
    const { name } = new.target;
    if (!betas.every((beta) => beta >= 0 && beta < 1))
      throw new Error(`${name}: betas must be in [0, 1); got ${betas}`);
    if (!(epsilon >= 0)) throw new Error(`${name}: epsilon must be 0 or more; got ${epsilon}`);
    if (!(this.weightDecay >= 0)) throw new Error(`${name}: weightDecay must be 0 or more; got ${this.weightDecay}`);
  }

  /** Factor of the parameter added to its gradient, and factor of the parameter itself. */
  protected abstract decay(learningRate: number): { l2: number; keep: number };

  protected override updateInPlace(i: number, parameter: Parameter, gradient: Tensor, learningRate: number): void {
    const [b1, b2] = this.betas;
    const { rate, inverseRoot } = this.corrections(learningRate);
    const { l2, keep } = this.decay(learningRate);
    kernels().adamStep(
      address(parameter),
      address(gradient),
      address(this.slots.get(MEAN, i)),
      address(this.slots.get(SQUARE, i)),
      parameter.size,
      rate,
      b1,
      1 - b1,
      b2,
      1 - b2,
      inverseRoot,
      this.epsilon,
      l2,
      keep,
    );
  }

  protected override updateByOps(i: number, parameter: Parameter, gradient: Tensor, learningRate: number): void {
    const [b1, b2] = this.betas;
    const { rate, inverseRoot } = this.corrections(learningRate);
    const { l2, keep } = this.decay(learningRate);
    tidy(() => {
      const g = l2 === 0 ? gradient : add(gradient, mul(parameter, l2));
      const mean = add(mul(this.slots.get(MEAN, i), b1), mul(g, 1 - b1));
      const meanSquare = add(mul(this.slots.get(SQUARE, i), b2), mul(square(g), 1 - b2));
      const move = div(mean, add(mul(sqrt(meanSquare), inverseRoot), this.epsilon));
      parameter.assign(sub(mul(parameter, keep), mul(move, rate)));
      this.slots.set(MEAN, i, mean);
      this.slots.set(SQUARE, i, meanSquare);
    });
  }

  private corrections(learningRate: number): Corrections {
    const [b1, b2] = this.betas;
    return { rate: learningRate / (1 - b1 ** this.steps), inverseRoot: 1 / Math.sqrt(1 - b2 ** this.steps) };
  }
}

/**
 * m ← β₁m + (1-β₁)g, v ← β₂v + (1-β₂)g², p ← p - η m̂ / (√v̂ + ε) with m̂ = m/(1-β₁ᵗ), v̂ = v/(1-β₂ᵗ); weight decay λ is added
 * to the gradient as λp.
 *
 * @see Kingma and Ba 2015, algorithm 1; https://pytorch.org/docs/stable/generated/torch.optim.Adam.html
 * @example
 * const layer = new Linear({ inputSize: 2, outputSize: 1, seed: 1 });
 * const optimizer = new Adam(layer.parameters(), { learningRate: 1e-3 });
 * const { gradients } = valueAndGradients(() => tf.sum(layer.forward(tf.ones([1, 2]))), layer.parameters());
 * optimizer.step(gradients);
 * console.log(optimizer.stateDict().step); // → 1
 */
export class Adam extends AdamBase {
  constructor(parameters: readonly Parameter[], options: AdamOptions = {}) {
    super(parameters, options, 0);
  }

  protected override decay(): { l2: number; keep: number } {
    return { l2: this.weightDecay, keep: 1 };
  }
}

/**
 * Adam whose weight decay λ (default 0.01) shrinks the parameter directly: p ← (1 - ηλ) p before Adam's step.
 *
 * @see Loshchilov and Hutter 2019; https://pytorch.org/docs/stable/generated/torch.optim.AdamW.html
 */
export class AdamW extends AdamBase {
  constructor(parameters: readonly Parameter[], options: AdamOptions = {}) {
    super(parameters, options, 0.01);
  }

  protected override decay(learningRate: number): { l2: number; keep: number } {
    return { l2: 0, keep: 1 - learningRate * this.weightDecay };
  }
}
