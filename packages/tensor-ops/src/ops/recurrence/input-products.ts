// What the sums of the gates start from: the products with the input weight, block by block, and the biases.
import type { KernelExports } from '../../wasm/kernel-exports.generated.js';
import type { CellKernel } from './cell-kernel.js';

/** Begins the sums of `count` rows, from the `first` on. */
type Begin = (first: number, count: number) => void;

interface Places {
  /** Of `weights` and `gemm`, and of the biases, one for each gate's sum. */
  weights: number;
  gemm: number;
  bias: number;
  /** Rows of I floats, and the sums' rows, `ld` floats apart. */
  x: number;
  sums: number;
  ld: number;
}

export interface InputProducts {
  /** Bytes of scratch for the packed weight and for the products. */
  weights: number;
  gemm: number;
  /** The products with the weight at this address; `packed` is where it lies packed already, or 0. */
  on(weightIh: number, packed: number, at: Places): Begin;
}

/** Products of `rows` rows in all, in several goes or in one. */
export function inputProducts(
  k: KernelExports,
  { input, gateSlots }: Pick<CellKernel, 'input' | 'gateSlots'>,
  { rows, I, H }: { rows: number; I: number; H: number },
  several: boolean,
  ready: boolean,
): InputProducts {
  const packs = several && !ready;
  const bytes = input.map(({ count }) => k.packedBytes(I, count * H));
  return {
    weights: packs ? bytes.reduce((sum, block) => sum + block, 0) : 0,
    gemm: Math.max(k.gemmScratchBytes(rows, gateSlots * H, I), k.gemmPackedScratchBytes(rows, I)),
    on: (weightIh, packed, { weights, gemm, bias, x, sums, ld }) => {
      const addressOf = (first: number) => weightIh + first * H * I * 4;
      if (packs) {
        let next = weights;
        for (const [i, { first, count }] of input.entries()) {
          k.packB(1, addressOf(first), I, I, count * H, next);
          next += bytes[i]!;
        }
      }
      return (from, rows) => {
        const [row, out] = [x + from * I * 4, sums + from * ld * 4];
        let place = packs ? weights : packed;
        for (const [i, { first, count, slot }] of input.entries()) {
          const [to, b, at] = [count * H, bias + slot * H * 4, out + slot * H * 4];
          if (packs || ready) k.gemmPackedBias(0, rows, to, I, row, I, place, at, ld, b, 0, gemm);
          else k.gemmBias(0, 1, rows, to, I, row, I, addressOf(first), I, at, ld, b, 0, gemm);
          place += bytes[i]!;
        }
        for (let slot = 0; slot < gateSlots; slot++) {
          if (input.some((block) => slot >= block.slot && slot < block.slot + block.count)) continue;
          k.fillRows(out + slot * H * 4, ld, rows, H, bias + slot * H * 4);
        }
      };
    },
  };
}
