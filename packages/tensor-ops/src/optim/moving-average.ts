import { add, clone, engine, mul, type Tensor, tidy } from '@tensorflow/tfjs-core';
import type { Parameter } from '../nn/parameter.js';
import { address } from '../wasm/heap.js';
import { kernels } from '../wasm/kernels.js';
import { ownMemory } from './own-memory.js';
import { type OptimizerState, Slots } from './slots.js';

export interface MovingAverageOptions {
  /** Share of the old average that an update keeps, in [0, 1). */
  decay?: number;
  /** Keeps less at first, min(decay, (1 + n) / (10 + n)) at update n, so that the start is soon forgotten. On by default. */
  warmUp?: boolean;
}

const AVERAGE = 'average';

/**
 * a ← d a + (1 - d) p after every step, beside the parameters p; the first average is the parameters themselves.
 * Models often score better with the averages: `swapIn` puts them in place of the parameters, `swapOut` takes them back.
 *
 * @example
 * const layer = new Linear({ inputSize: 2, outputSize: 1, seed: 1 });
 * const average = new ExponentialMovingAverage(layer.parameters(), { decay: 0.999 });
 * average.update(); // after every optimizer step
 */
export class ExponentialMovingAverage {
  private readonly slots: Slots;
  private readonly decay: number;
  private readonly warmUp: boolean;
  private swapped = false;

  /** @throws Error when the decay is outside [0, 1) or a parameter stands in the list twice */
  constructor(
    readonly parameters: readonly Parameter[],
    { decay = 0.999, warmUp = true }: MovingAverageOptions = {},
  ) {
    if (!(decay >= 0 && decay < 1)) throw new Error(`ExponentialMovingAverage: decay must be in [0, 1); got ${decay}`);
    this.decay = decay;
    this.warmUp = warmUp;
    this.slots = new Slots('ExponentialMovingAverage', parameters, [AVERAGE]);
    for (const i of parameters.keys()) this.blend(i, 0);
  }

  /** Takes in the parameters as they are now. @throws Error while swapped in */
  update(): void {
    this.refuseWhileSwapped('update');
    this.slots.step++;
    const n = this.slots.step;
    const decay = this.warmUp ? Math.min(this.decay, (1 + n) / (10 + n)) : this.decay;
    for (const i of this.parameters.keys()) this.blend(i, decay);
  }

  /** Puts the averages in place of the parameters. @throws Error while swapped in */
  swapIn(): void {
    this.refuseWhileSwapped('swapIn');
    this.exchange();
  }

  /** Puts the parameters back. @throws Error unless swapped in */
  swapOut(): void {
    if (!this.swapped) throw new Error('ExponentialMovingAverage.swapOut: swapIn must come first');
    this.exchange();
  }

  /** A copy of averages and count. @throws Error while swapped in */
  stateDict(): OptimizerState {
    this.refuseWhileSwapped('stateDict');
    return this.slots.stateDict();
  }

  /** Goes on from `stateDict()`. @throws Error while swapped in, and naming what does not fit; nothing has changed then */
  loadStateDict(state: OptimizerState): void {
    this.refuseWhileSwapped('loadStateDict');
    this.slots.loadStateDict(state);
  }

  /** Frees the averages, not the parameters. */
  dispose(): void {
    this.slots.dispose();
  }

  private blend(i: number, decay: number): void {
    const [parameter, average] = [this.parameters[i] as Parameter, this.slots.get(AVERAGE, i)];
    if (engine().backendName === 'wasm') {
      kernels().scaleAdd(address(parameter), address(average), parameter.size, 1 - decay, decay);
    } else {
      const blended = tidy(() => add(mul(average, decay), mul(parameter, 1 - decay)) as Tensor);
      this.slots.set(AVERAGE, i, blended);
    }
  }

  private exchange(): void {
    for (const [i, parameter] of this.parameters.entries()) {
      const average = this.slots.get(AVERAGE, i);
      if (engine().backendName === 'wasm') {
        ownMemory(parameter);
        kernels().exchange(address(parameter), address(average), parameter.size);
      } else {
        const before = clone(parameter);
        parameter.assign(average);
        this.slots.set(AVERAGE, i, before);
      }
    }
    this.swapped = !this.swapped;
  }

  private refuseWhileSwapped(what: string): void {
    if (this.swapped) throw new Error(`ExponentialMovingAverage.${what}: swapOut must come first`);
  }
}
