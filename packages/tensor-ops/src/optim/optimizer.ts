import { engine, type Tensor, util } from '@tensorflow/tfjs-core';
import type { Parameter } from '../nn/parameter.js';
import { checkFloats } from '../ops/run-op.js';
import { ownMemory } from './own-memory.js';
import { type OptimizerState, Slots } from './slots.js';

/**
 * Moves parameters against their gradients. On wasm a parameter's memory is changed in place, by one kernel call; a tensor that
 * shares the memory (a clone, a reshape) keeps its values, as the parameter moves to memory of its own first. On other backends
 * the same formula runs as tfjs ops.
 */
export abstract class Optimizer {
  protected readonly slots: Slots;

  /**
   * @param slotNames what is remembered for each parameter
   * @throws Error when a parameter stands in the list twice or the learning rate is below 0
   */
  protected constructor(
    readonly parameters: readonly Parameter[],
    readonly learningRate: number,
    slotNames: readonly string[],
  ) {
    const { name } = new.target;
    if (!(learningRate >= 0)) throw new Error(`${name}: learningRate must be 0 or more; got ${learningRate}`);
    this.slots = new Slots(name, parameters, slotNames);
  }

  /** Steps taken. */
  get steps(): number {
    return this.slots.step;
  }

  /**
   * One step. The gradients are only read.
   *
   * @param gradients one a parameter, in their order
   * @param learningRate in place of the constructor's, as a schedule says
   * @throws Error when gradients and parameters do not fit; nothing has changed then
   */
  step(gradients: readonly Tensor[], learningRate: number = this.learningRate): void {
    this.check(gradients, learningRate);
    this.slots.step++;
    const inPlace = engine().backendName === 'wasm';
    for (const [i, parameter] of this.parameters.entries()) {
      const gradient = gradients[i] as Tensor;
      if (inPlace) {
        ownMemory(parameter);
        this.updateInPlace(i, parameter, gradient, learningRate);
      } else {
        this.updateByOps(i, parameter, gradient, learningRate);
      }
    }
  }

  /** A copy of everything the next steps depend on, beside the parameters. */
  stateDict(): OptimizerState {
    return this.slots.stateDict();
  }

  /** Goes on from `stateDict()`. @throws Error naming what is missing, unexpected or misshapen; nothing has changed then */
  loadStateDict(state: OptimizerState): void {
    this.slots.loadStateDict(state);
  }

  /** Frees what is remembered, not the parameters. */
  dispose(): void {
    this.slots.dispose();
  }

  /** Changes parameter and slots in wasm memory. */
  protected abstract updateInPlace(i: number, parameter: Parameter, gradient: Tensor, learningRate: number): void;

  /** The same by tfjs ops. */
  protected abstract updateByOps(i: number, parameter: Parameter, gradient: Tensor, learningRate: number): void;

  private check(gradients: readonly Tensor[], learningRate: number): void {
    const where = `${this.constructor.name}.step`;
    if (!(learningRate >= 0)) throw new Error(`${where}: learningRate must be 0 or more; got ${learningRate}`);
    if (gradients.length !== this.parameters.length) {
      throw new Error(`${where}: there must be ${this.parameters.length} gradients; got ${gradients.length}`);
    }
    for (const [i, { shape }] of this.parameters.entries()) {
      const got = gradients[i]?.shape;
      if (!got || !util.arraysEqual(got, shape)) {
        throw new Error(`${where}: gradient ${i} must be of shape [${shape}]; got [${got}]`);
      }
      checkFloats(where, { [`gradient ${i}`]: gradients[i]! });
    }
  }
}
