// Which thread updates which parameter, and what follows for the state of the optimizer.
import type { OptimizerState, Parameter, StateDict } from '@seqloom/tensor-ops';

/** The owner of each parameter: largest first, each to the thread that has least. */
export function ownersOf(parameters: readonly Parameter[], threads: number): number[] {
  const owners = new Array<number>(parameters.length);
  const loads = new Array<number>(threads).fill(0);
  const bySize = [...parameters.keys()].sort((a, b) => parameters[b]!.size - parameters[a]!.size || a - b);
  for (const i of bySize) {
    const thread = loads.indexOf(Math.min(...loads));
    owners[i] = thread;
    loads[thread]! += parameters[i]!.size;
  }
  return owners;
}

/** One thread's part of a state: its parameters numbered from 0. What belongs to none goes to thread 0, which refuses it. */
export function partOfState(
  { step, tensors }: OptimizerState,
  owners: readonly number[],
  thread: number,
): OptimizerState {
  const owned = indicesOf(owners, thread);
  const part: StateDict = new Map();
  for (const [key, entry] of tensors) {
    const [, index, slot] = /^(\d+)\.(.*)$/.exec(key) ?? [];
    if ((owners[Number(index)] ?? 0) !== thread) continue;
    const place = owned.indexOf(Number(index));
    part.set(place < 0 ? key : `${place}.${slot}`, entry);
  }
  return { step, tensors: part };
}

/** The state of all, from one part a thread. */
export function wholeState(parts: readonly OptimizerState[], owners: readonly number[]): OptimizerState {
  const entries = parts.flatMap(({ tensors }, thread) => {
    const owned = indicesOf(owners, thread);
    return [...tensors].map(([key, entry]) => {
      const [index, ...slot] = key.split('.');
      return { index: owned[Number(index)]!, slot: slot.join('.'), entry };
    });
  });
  entries.sort((a, b) => a.index - b.index);
  return {
    step: parts[0]!.step,
    tensors: new Map(entries.map(({ index, slot, entry }) => [`${index}.${slot}`, entry])),
  };
}

export function indicesOf(owners: readonly number[], thread: number): number[] {
  return [...owners.keys()].filter((i) => owners[i] === thread);
}
