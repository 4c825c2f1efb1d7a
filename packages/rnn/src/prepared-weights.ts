import type { RecurrentWeights } from '@seqloom/tensor-ops';
import { dispose, keep, type Tensor } from '@tensorflow/tfjs-core';
import type { RecurrentCell } from './cell.js';

/** The weights of a stack of layers as they were when prepared, laid out for short or single steps. Lives until disposed, through every tidy. */
export class PreparedWeights {
  /** One a cell, layer by layer, forward before reverse; undefined where a cell has no faster layout. */
  readonly cells: (RecurrentWeights | undefined)[];

  constructor(cells: RecurrentCell[]) {
    this.cells = cells.map((cell) => cell.pack() ?? undefined);
    for (const tensor of this.tensors()) keep(tensor);
  }

  dispose(): void {
    dispose(this.tensors());
  }

  private tensors(): Tensor[] {
    return this.cells.flatMap((weights) => Object.values(weights ?? {}).filter((tensor) => tensor !== undefined));
  }
}
