// The base of every layer: it owns parameters and smaller modules under PyTorch's names, and nothing else. No mode, no hidden
// state: what a forward pass needs is passed to it.
import { tensor, tidy } from '@tensorflow/tfjs-core';
import type { StateDict } from '../io/state-dict.js';
import type { Parameter } from './parameter.js';

/** A part of a model: parameters and modules under names that join to PyTorch's `state_dict` keys. */
export abstract class Module {
  private readonly ownParameters = new Map<string, Parameter>();
  private readonly children = new Map<string, Module>();

  /** Owns `parameter` under `name` and gives it back. Registering another module's parameter ties the two. */
  protected own<P extends Parameter>(name: string, parameter: P): P {
    this.ownParameters.set(name, parameter);
    return parameter;
  }

  /** Owns `module` under `name` and gives it back. */
  protected child<M extends Module>(name: string, module: M): M {
    this.children.set(name, module);
    return module;
  }

  /** Every parameter by its full name (`encoder.rnn.weight_ih_l0`); a tied one under each of its names. */
  namedParameters(prefix = ''): Map<string, Parameter> {
    const found = new Map<string, Parameter>();
    for (const [name, parameter] of this.ownParameters) found.set(prefix + name, parameter);
    for (const [name, module] of this.children) {
      for (const [inner, parameter] of module.namedParameters(`${prefix}${name}.`)) found.set(inner, parameter);
    }
    return found;
  }

  /** Every parameter once, in the order of their registration. */
  parameters(): Parameter[] {
    return [...this.collect(new Set())];
  }

  /** Copies of all values by name, in PyTorch's layout. */
  stateDict(): StateDict {
    const dict: StateDict = new Map();
    for (const [name, parameter] of this.namedParameters()) {
      dict.set(name, { shape: [...parameter.shape], data: parameter.dataSync().slice() as Float32Array });
    }
    return dict;
  }

  /**
   * Takes all values from a state dict. Nothing changes unless everything fits.
   *
   * @throws Error naming the first missing, unexpected or misshapen entry
   */
  loadStateDict(dict: StateDict): void {
    const parameters = this.namedParameters();
    for (const name of dict.keys()) {
      if (!parameters.has(name))
        throw new Error(`loadStateDict: unexpected "${name}"; the model has ${listed(parameters)}`);
    }
    for (const [name, parameter] of parameters) {
      const entry = dict.get(name);
      if (!entry) throw new Error(`loadStateDict: "${name}" is missing; got ${listed(dict)}`);
      if (entry.shape.join() !== parameter.shape.join()) {
        throw new Error(`loadStateDict: "${name}" must be of shape [${parameter.shape}]; got [${entry.shape}]`);
      }
    }
    for (const [name, parameter] of parameters) {
      const { shape, data } = dict.get(name)!;
      tidy(() => parameter.assign(tensor(data.slice(), shape, 'float32')));
    }
  }

  private collect(into: Set<Parameter>): Set<Parameter> {
    for (const parameter of this.ownParameters.values()) into.add(parameter);
    for (const module of this.children.values()) module.collect(into);
    return into;
  }

  /** Frees every parameter. The module is of no use afterwards. */
  dispose(): void {
    for (const parameter of this.ownParameters.values()) if (!parameter.isDisposed) parameter.dispose(); // tied ones come twice
    for (const module of this.children.values()) module.dispose();
  }
}

function listed(names: Map<string, unknown>): string {
  const all = [...names.keys()];
  return all.length > 6 ? `${all.slice(0, 6).join(', ')} and ${all.length - 6} more` : all.join(', ') || 'nothing';
}
