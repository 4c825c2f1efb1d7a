import type { RecurrentWeights } from '@seqloom/tensor-ops';
import { dispose, keep, type Tensor } from '@tensorflow/tfjs-core';
import type { RecurrentCell } from './cell.js';

/** The weights of a stack of layers as they were when prepared, laid out for fast steps. Lives until disposed, through every tidy. */
export class PreparedWeights {
  /** One a layer; undefined where its cell has no faster layout. */
  readonly layers: (RecurrentWeights | undefined)[];

  constructor(cells: RecurrentCell[]) {
    this.layers = cells.map((cell) => cell.pack() ?? undefined);
    for (const tensor of this.tensors()) keep(tensor);
  }

  dispose(): void {
    dispose(this.tensors());
  }

  private tensors(): Tensor[] {
    return this.layers.flatMap((weights) => Object.values(weights ?? {}).filter((tensor) => tensor !== undefined));
  }
}
