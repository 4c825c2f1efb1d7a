// Products with the recurrent weight, block by block: forward by the transposes, backward by the blocks as they are.
import type { KernelExports } from '../../wasm/kernel-exports.generated.js';
import type { GateBlock } from './cell-kernel.js';

/** (block, rows, from, its ld, to, its ld, whether to add) */
type Product = (
  i: number,
  rows: number,
  from: number,
  fromLd: number,
  to: number,
  toLd: number,
  accumulate: boolean,
) => void;

export interface RecurrentProducts {
  /** Bytes of scratch for the packed weight and for the products. */
  weights: number;
  gemm: number;
  /** The products of the weight at this address; `packed` is where it lies packed already, or 0. */
  on(weightHh: number, packed: number, at: { weights: number; gemm: number }): Product;
}

/** Steps from which on a weight is packed: fewer read it where it lies. */
const WORTH_PACKING = 3;

/** Products of at most B rows at each of T times. */
export function recurrentProducts(
  k: KernelExports,
  blocks: GateBlock[],
  { B, T, H }: { B: number; T: number; H: number },
  transposed: boolean,
  ready = false,
): RecurrentProducts {
  const inner = ({ count }: GateBlock) => (transposed ? H : count * H);
  const outer = ({ count }: GateBlock) => (transposed ? count * H : H);
  const packs = !ready && T >= WORTH_PACKING;
  const flag = transposed ? 1 : 0;
  const scratch = blocks.map((block) =>
    Math.max(k.gemmPackedScratchBytes(B, inner(block)), k.gemmScratchBytes(B, outer(block), inner(block))),
  );
  return {
    weights: packs ? blocks.reduce((sum, block) => sum + k.packedBytes(inner(block), outer(block)), 0) : 0,
    gemm: Math.max(...scratch),
    on: (weightHh, packed, { weights, gemm }) => {
      let next = ready ? packed : weights;
      const places = blocks.map((block) => {
        const weight = weightHh + block.first * H * H * 4;
        if (!packs && !ready) return weight;
        const place = next;
        if (packs) k.packB(flag, weight, H, inner(block), outer(block), place);
        next += k.packedBytes(inner(block), outer(block));
        return place;
      });
      return (i, rows, from, fromLd, to, toLd, accumulate) => {
        const [N, K] = [outer(blocks[i]!), inner(blocks[i]!)];
        if (packs || ready) k.gemmPacked(0, rows, N, K, from, fromLd, places[i]!, to, toLd, accumulate, gemm);
        else k.gemm(0, flag, rows, N, K, from, fromLd, places[i]!, H, to, toLd, accumulate, gemm);
      };
    },
  };
}
