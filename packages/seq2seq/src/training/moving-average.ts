import type { Parameter, StateDict } from '@seqloom/tensor-ops';
import { add, dispose, keep, mul, type Tensor, tensor, tidy } from '@tensorflow/tfjs-core';

/**
 * ā ← d ā + (1 − d) p after every step, with d = min(decay, (1 + step) / (10 + step)) so that the first weights are soon forgotten.
 * Averaged weights often translate better than the last ones (Polyak & Juditsky 1992).
 */
export class MovingAverage {
  private readonly averages: Tensor[];

  constructor(
    private readonly parameters: ReadonlyMap<string, Parameter>,
    private readonly decay: number,
  ) {
    this.averages = [...parameters.values()].map((parameter) => keep(parameter.clone()));
  }

  /** Takes the parameters after a step (from 1) in. */
  update(step: number): void {
    const decay = Math.min(this.decay, (1 + step) / (10 + step));
    for (const [i, parameter] of [...this.parameters.values()].entries()) {
      this.replace(
        i,
        tidy(() => add(mul(this.averages[i]!, decay), mul(parameter, 1 - decay))),
      );
    }
  }

  /** Runs `use` with the averages as the parameters' values, and puts the parameters back. */
  async applied<T>(use: () => Promise<T>): Promise<T> {
    const parameters = [...this.parameters.values()];
    const own = parameters.map((parameter) => keep(parameter.clone()));
    try {
      for (const [i, parameter] of parameters.entries()) parameter.assign(this.averages[i]!);
      return await use();
    } finally {
      for (const [i, parameter] of parameters.entries()) parameter.assign(own[i]!);
      dispose(own);
    }
  }

  stateDict(): StateDict {
    return new Map(
      [...this.parameters.keys()].map((name, i) => {
        const average = this.averages[i]!;
        return [name, { shape: [...average.shape], data: average.dataSync().slice() as Float32Array }];
      }),
    );
  }

  /** @throws Error naming the first entry that is missing or misshapen */
  loadStateDict(dict: StateDict): void {
    for (const [i, [name, parameter]] of [...this.parameters].entries()) {
      const entry = dict.get(name);
      if (entry?.shape.join() !== parameter.shape.join()) {
        throw new Error(`MovingAverage: "${name}" must be of shape [${parameter.shape}]; got [${entry?.shape ?? ''}]`);
      }
      this.replace(i, tensor(entry!.data.slice(), entry!.shape, 'float32'));
    }
  }

  dispose(): void {
    dispose(this.averages);
  }

  private replace(i: number, average: Tensor): void {
    this.averages[i]!.dispose();
    this.averages[i] = keep(average);
  }
}
