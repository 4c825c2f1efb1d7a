import { add, mul, sub, type Tensor, tidy } from '@tensorflow/tfjs-core';
import type { Parameter } from '../nn/parameter.js';
import { address } from '../wasm/heap.js';
import { kernels } from '../wasm/kernels.js';
import { Optimizer } from './optimizer.js';

/** Settings of SGD; names are PyTorch's. */
export interface SGDOptions {
  learningRate?: number;
  momentum?: number;
  /** Looks one step ahead; needs momentum. */
  nesterov?: boolean;
  weightDecay?: number;
}

const VELOCITY = 'momentum_buffer';

/**
 * g ← g + λp, b ← μb + g, p ← p - η b, or p ← p - η (g + μb) with Nesterov's look ahead; λ weight decay, μ momentum, η the rate.
 *
 * @see Sutskever et al. 2013; https://pytorch.org/docs/stable/generated/torch.optim.SGD.html
 */
export class SGD extends Optimizer {
  private readonly momentum: number;
  private readonly nesterov: boolean;
  private readonly weightDecay: number;

  /** @throws Error when a setting is out of range, or nesterov without momentum */
  constructor(parameters: readonly Parameter[], options: SGDOptions = {}) {
    const { learningRate = 1e-3, momentum = 0, nesterov = false, weightDecay = 0 } = options;
    super(parameters, learningRate, momentum === 0 ? [] : [VELOCITY]);
    if (!(momentum >= 0 && momentum < 1)) throw new Error(`SGD: momentum must be in [0, 1); got ${momentum}`);
    if (nesterov && momentum === 0) throw new Error('SGD: nesterov needs a momentum above 0; got 0');
    if (!(weightDecay >= 0)) throw new Error(`SGD: weightDecay must be 0 or more; got ${weightDecay}`);
    this.momentum = momentum;
    this.nesterov = nesterov;
    this.weightDecay = weightDecay;
  }

  protected override updateInPlace(i: number, parameter: Parameter, gradient: Tensor, learningRate: number): void {
    const { momentum, nesterov, weightDecay } = this;
    const [p, g, n] = [address(parameter), address(gradient), parameter.size];
    if (momentum === 0) kernels().scaleAdd(g, p, n, -learningRate, 1 - learningRate * weightDecay);
    else
      kernels().momentumStep(
        p,
        g,
        address(this.slots.get(VELOCITY, i)),
        n,
        learningRate,
        momentum,
        nesterov,
        weightDecay,
      );
  }

  protected override updateByOps(i: number, parameter: Parameter, gradient: Tensor, learningRate: number): void {
    const { momentum, nesterov, weightDecay } = this;
    tidy(() => {
      const g = weightDecay === 0 ? gradient : add(gradient, mul(parameter, weightDecay));
      const velocity = momentum === 0 ? g : add(mul(this.slots.get(VELOCITY, i), momentum), g);
      const move = nesterov ? add(g, mul(velocity, momentum)) : velocity;
      parameter.assign(sub(parameter, mul(move, learningRate)));
      if (momentum !== 0) this.slots.set(VELOCITY, i, velocity);
    });
  }
}
