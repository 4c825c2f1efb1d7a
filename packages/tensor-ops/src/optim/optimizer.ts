// What all optimizers share: parameters, one state tensor of the same shape per parameter and name ("slot"), a step count.
import { dispose, engine, keep, type Tensor, tensor, tidy, zeros } from '@tensorflow/tfjs-core';
import type { StateDict } from '../io/state-dict.js';
import type { Parameter } from '../nn/parameter.js';

/** Everything an optimizer remembers. Resuming from it goes on bit for bit. */
export interface OptimizerState {
  /** Steps taken. */
  step: number;
  /** Slots by `<index of the parameter>.<PyTorch's name of the slot>`; copies. */
  tensors: StateDict;
}

/**
 * Moves parameters against their gradients. On wasm the parameter's memory is changed in place, one kernel call a parameter;
 * a tensor that shares that memory (a clone, a reshape) keeps its old values, as the parameter then moves to memory of its own.
 * On other backends the same formula runs as tfjs ops.
 */
export abstract class Optimizer {
  private readonly slots: Record<string, Tensor[]> = {};
  private count = 0;

  /** @param slotNames PyTorch's names of what is remembered for each parameter */
  protected constructor(
    readonly parameters: readonly Parameter[],
    readonly learningRate: number,
    private readonly slotNames: readonly string[],
  ) {
    const { name } = new.target;
    if (new Set(parameters).size !== parameters.length)
      throw new Error(`${name}: a parameter stands in the list twice`);
    if (!(learningRate >= 0)) throw new Error(`${name}: learningRate must be 0 or more; got ${learningRate}`);
    for (const slot of slotNames) this.slots[slot] = parameters.map(({ shape }) => keep(zeros(shape)));
  }

  /** Steps taken. */
  get steps(): number {
    return this.count;
  }

  /**
   * One step. The gradients are only read.
   *
   * @param gradients one a parameter, in their order
   * @param learningRate in place of the constructor's, as a schedule says
   * @throws Error when gradients and parameters do not fit; nothing has changed then
   */
  step(gradients: readonly Tensor[], learningRate: number = this.learningRate): void {
    this.check(gradients);
    this.count++;
    const update = engine().backendName === 'wasm' ? this.updateInPlace : this.updateByOps;
    for (const [i, parameter] of this.parameters.entries()) {
      if (engine().backendName === 'wasm') ownMemory(parameter);
      update.call(this, i, parameter, gradients[i] as Tensor, learningRate);
    }
  }

  /** A copy of everything that the next steps depend on. */
  stateDict(): OptimizerState {
    const tensors: StateDict = new Map();
    for (const [i, { shape }] of this.parameters.entries()) {
      for (const slot of this.slotNames) {
        const data = this.slot(slot, i).dataSync().slice() as Float32Array;
        tensors.set(`${i}.${slot}`, { shape: [...shape], data });
      }
    }
    return { step: this.count, tensors };
  }

  /** Goes on from `stateDict()`. @throws Error naming what is missing, unexpected or misshapen; nothing has changed then */
  loadStateDict({ step, tensors }: OptimizerState): void {
    const { name } = this.constructor;
    if (!Number.isSafeInteger(step) || step < 0) {
      throw new Error(`${name}.loadStateDict: step must be a whole number from 0; got ${step}`);
    }
    const wanted = this.parameters.flatMap(({ shape }, i) =>
      this.slotNames.map((slot) => ({ key: `${i}.${slot}`, slot, i, shape })),
    );
    for (const { key, shape } of wanted) {
      const found = tensors.get(key);
      if (!found) throw new Error(`${name}.loadStateDict: "${key}" is missing`);
      if (found.shape.join() !== shape.join()) {
        throw new Error(`${name}.loadStateDict: "${key}" must be of shape [${shape}]; got [${found.shape}]`);
      }
    }
    const known = new Set(wanted.map(({ key }) => key));
    for (const key of tensors.keys()) {
      if (!known.has(key)) throw new Error(`${name}.loadStateDict: unexpected "${key}"`);
    }
    for (const { key, slot, i, shape } of wanted) {
      this.replaceSlot(slot, i, tensor(tensors.get(key)!.data.slice(), shape, 'float32'));
    }
    this.count = step;
  }

  /** Frees the slots, not the parameters. */
  dispose(): void {
    for (const slot of this.slotNames) dispose(this.slots[slot] as Tensor[]);
  }

  /** Changes parameter and slots in wasm memory. */
  protected abstract updateInPlace(i: number, parameter: Parameter, gradient: Tensor, learningRate: number): void;

  /** The same by tfjs ops. */
  protected abstract updateByOps(i: number, parameter: Parameter, gradient: Tensor, learningRate: number): void;

  protected slot(name: string, i: number): Tensor {
    return this.slots[name]?.[i] as Tensor;
  }

  protected replaceSlot(name: string, i: number, value: Tensor): void {
    dispose(this.slot(name, i));
    (this.slots[name] as Tensor[])[i] = keep(value);
  }

  private check(gradients: readonly Tensor[]): void {
    const { name } = this.constructor;
    if (gradients.length !== this.parameters.length) {
      throw new Error(
        `${name}.step: there must be one gradient for each of ${this.parameters.length} parameters; got ${gradients.length}`,
      );
    }
    for (const [i, { shape }] of this.parameters.entries()) {
      if (gradients[i]?.shape.join() !== shape.join()) {
        throw new Error(`${name}.step: gradient ${i} must be of shape [${shape}]; got [${gradients[i]?.shape}]`);
      }
    }
  }
}

/** Gives a parameter memory of its own where a clone or reshape shares it, so that those keep their values. */
export function ownMemory(parameter: Parameter): void {
  if (engine().backend.refCount(parameter.dataId) === 1) return;
  tidy(() => parameter.assign(tensor(parameter.dataSync().slice(), parameter.shape, parameter.dtype as 'float32')));
}
