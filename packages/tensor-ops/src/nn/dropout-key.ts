/**
 * What decides a dropout mask: the same key gives the same mask on every machine, however a batch is divided among workers.
 * Without a key nothing is dropped (inference).
 */
export interface DropoutKey {
  /** The run's seed. */
  seed: number;
  /** The optimizer step. */
  step: number;
  /** Position of this batch's first row in the whole batch: 0 unless workers share the batch. */
  rowOffset: number;
}
