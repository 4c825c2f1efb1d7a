import type { RecurrentWeights } from '@seqloom/tensor-ops';
import { dispose, keep, type Tensor } from '@tensorflow/tfjs-core';
import type { RecurrentCell } from './cell.js';

/** The weights of a stack of layers as they were when prepared, laid out for short or single steps. Lives until disposed, through every tidy. */
export class PreparedWeights {
  /** One a cell; undefined where it has no faster layout. */
  private readonly weights: (RecurrentWeights | undefined)[];
  private disposed = false;

  /** @param cells layer by layer, forward before reverse */
  constructor(private readonly cells: readonly RecurrentCell[]) {
    this.weights = cells.map((cell) => cell.pack() ?? undefined);
    for (const tensor of this.tensors()) keep(tensor);
  }

  /** The weights of these cells. @throws Error naming `caller` when other cells were prepared, or the weights are disposed */
  of(cells: readonly RecurrentCell[], caller: string): readonly (RecurrentWeights | undefined)[] {
    if (cells !== this.cells) throw new Error(`${caller}: prepared must come from these layers' own prepare()`);
    if (this.disposed) throw new Error(`${caller}: prepared has been disposed`);
    return this.weights;
  }

  dispose(): void {
    this.disposed = true;
    dispose(this.tensors());
  }

  private tensors(): Tensor[] {
    return this.weights.flatMap((weights) => Object.values(weights ?? {}).filter((tensor) => tensor !== undefined));
  }
}
