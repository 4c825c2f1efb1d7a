import { heapBytes, withScratch } from '../../wasm/heap.js';
import type { KernelExports } from '../../wasm/kernel-exports.generated.js';
import type { GateBlock } from './cell-kernel.js';
import type { Schedule } from './schedule.js';

/** Runs `use` with the addresses of scratch parts of so many bytes each. */
export function withParts<Name extends string>(
  bytes: Record<Name, number>,
  use: (at: Record<Name, number>) => void,
): void {
  const names = Object.keys(bytes) as Name[];
  const padded = (name: Name) => (bytes[name] + 31) & ~15;
  withScratch(
    names.reduce((sum, name) => sum + padded(name), 0),
    (pointer) => {
      const at = {} as Record<Name, number>;
      let next = pointer;
      for (const name of names) {
        at[name] = next;
        next += padded(name);
      }
      use(at);
    },
  );
}

/** Bytes of the parts that `writeSchedule` fills. */
export function scheduleBytes({ order, active }: Schedule): { order: number; active: number } {
  return { order: order.byteLength, active: active.byteLength };
}

export function writeSchedule({ order, active }: Schedule, at: { order: number; active: number }): void {
  const heap = heapBytes();
  heap.set(new Uint8Array(order.buffer), at.order);
  heap.set(new Uint8Array(active.buffer), at.active);
}

/** How a pass multiplies by the blocks of the recurrent weight: forward by their transposes, backward as they are. */
export interface RecurrentProducts {
  weights: number;
  gemm: number;
  /** The parts' addresses → (block, rows, from, its ld, to, its ld, whether to add). */
  at(
    weightHh: number,
    at: { weights: number; gemm: number },
  ): (i: number, rows: number, from: number, fromLd: number, to: number, toLd: number, accumulate: boolean) => void;
}

/** Steps from which on a weight is packed: fewer read it where it lies. */
const WORTH_PACKING = 3;

/** The products of T steps of at most B rows, with the bytes of the scratch parts they need. */
export function recurrentProducts(
  k: KernelExports,
  blocks: GateBlock[],
  { B, T, H }: { B: number; T: number; H: number },
  transposed: boolean,
): RecurrentProducts {
  const inner = ({ count }: GateBlock) => (transposed ? H : count * H);
  const outer = ({ count }: GateBlock) => (transposed ? count * H : H);
  const packs = T >= WORTH_PACKING;
  const sizes = blocks.map((block) => (packs ? k.packedBytes(inner(block), outer(block)) : 0));
  const flag = transposed ? 1 : 0;
  const scratch = blocks.map((block) => {
    const [N, K] = [outer(block), inner(block)];
    return packs ? k.gemmPackedScratchBytes(B, K) : k.gemmScratchBytes(B, N, K);
  });
  return {
    weights: sizes.reduce((sum, size) => sum + size, 0),
    gemm: Math.max(...scratch),
    at: (weightHh, { weights, gemm }) => {
      let next = weights;
      const places = blocks.map((block, i) => {
        const weight = weightHh + block.first * H * H * 4;
        if (!packs) return weight;
        const place = next;
        k.packB(flag, weight, H, inner(block), outer(block), place);
        next += sizes[i]!;
        return place;
      });
      return (i, rows, from, fromLd, to, toLd, accumulate) => {
        const [N, K] = [outer(blocks[i]!), inner(blocks[i]!)];
        if (packs) k.gemmPacked(0, rows, N, K, from, fromLd, places[i]!, to, toLd, accumulate, gemm);
        else k.gemm(0, flag, rows, N, K, from, fromLd, places[i]!, H, to, toLd, accumulate, gemm);
      };
    },
  };
}
