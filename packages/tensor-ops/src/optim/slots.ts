// What is remembered for each parameter: tensors of its shape under PyTorch's names ("exp_avg"), and a count of steps.
import { dispose, keep, type Tensor, tensor, zeros } from '@tensorflow/tfjs-core';
import type { StateDict } from '../io/state-dict.js';
import type { Parameter } from '../nn/parameter.js';

/** Everything an optimizer or an average remembers. Resuming from it goes on bit for bit. */
export interface OptimizerState {
  /** Steps taken. */
  step: number;
  /** `<index of the parameter>.<name of the slot>` → values; copies. */
  tensors: StateDict;
}

export class Slots {
  step = 0;
  private readonly tensors: Record<string, Tensor[]> = {};

  /**
   * Zeros for each parameter and name.
   *
   * @param owner whose name errors carry
   * @throws Error when a parameter stands in the list twice
   */
  constructor(
    private readonly owner: string,
    private readonly parameters: readonly Parameter[],
    private readonly names: readonly string[],
  ) {
    if (new Set(parameters).size !== parameters.length) {
      throw new Error(`${owner}: every parameter must stand in the list once; one stands there twice`);
    }
    for (const name of names) this.tensors[name] = parameters.map(({ shape }) => keep(zeros(shape)));
  }

  get(name: string, i: number): Tensor {
    return this.tensors[name]?.[i] as Tensor;
  }

  /** Takes over `value` and frees the one before. */
  set(name: string, i: number, value: Tensor): void {
    dispose(this.get(name, i));
    (this.tensors[name] as Tensor[])[i] = keep(value);
  }

  stateDict(): OptimizerState {
    const tensors: StateDict = new Map();
    for (const { key, name, i, shape } of this.entries()) {
      tensors.set(key, { shape: [...shape], data: this.get(name, i).dataSync().slice() as Float32Array });
    }
    return { step: this.step, tensors };
  }

  /** @throws Error naming what is missing, unexpected or misshapen; nothing has changed then */
  loadStateDict({ step, tensors }: OptimizerState): void {
    const where = `${this.owner}.loadStateDict`;
    if (!Number.isSafeInteger(step) || step < 0) {
      throw new Error(`${where}: step must be a whole number from 0; got ${step}`);
    }
    const entries = this.entries();
    for (const { key, shape } of entries) {
      const found = tensors.get(key);
      if (!found) throw new Error(`${where}: "${key}" is missing`);
      if (found.shape.join() !== shape.join()) {
        throw new Error(`${where}: "${key}" must be of shape [${shape}]; got [${found.shape}]`);
      }
    }
    const known = new Set(entries.map(({ key }) => key));
    for (const key of tensors.keys()) if (!known.has(key)) throw new Error(`${where}: unexpected "${key}"`);
    for (const { key, name, i, shape } of entries) {
      this.set(name, i, tensor(tensors.get(key)!.data.slice(), shape, 'float32'));
    }
    this.step = step;
  }

  dispose(): void {
    for (const name of this.names) dispose(this.tensors[name] as Tensor[]);
  }

  private entries(): { key: string; name: string; i: number; shape: number[] }[] {
    return this.parameters.flatMap(({ shape }, i) =>
      this.names.map((name) => ({ key: `${i}.${name}`, name, i, shape })),
    );
  }
}
