// Cross-entropy of x Wᵀ + b block of rows by block of rows, so that the [N, V] logits never exist. Rows whose target is ignored
// are left out before anything is multiplied. Letters: N rows, n of them counted, I inputs, V classes.
import type { TensorInfo } from '@tensorflow/tfjs-core';
import { address, heapBytes, withScratch } from '../wasm/heap.js';
import { kernels } from '../wasm/kernels.js';
import type { CrossEntropyPlan } from './cross-entropy.js';

/** Floats of a block of logits: 16 MB. */
const BLOCK = 1 << 22;

export interface LinearParts {
  x: TensorInfo;
  weight: TensorInfo;
  bias: TensorInfo | undefined;
}

/** Summed over the rows that count. */
export interface BlockTotals {
  /** Before the plan's scale. */
  loss: number;
  /** Rows whose target has the largest logit; 0 where gradients were asked for. */
  correct: number;
}

/** The totals, and where asked for the gradients of loss·scale, each of the shape of its namesake: a block's logits become their own gradient in place. */
export function runLogitBlocks(parts: LinearParts, plan: CrossEntropyPlan, gradients: LinearParts | null): BlockTotals {
  const [V, I] = parts.weight.shape as [number, number];
  const counted = countedRows(plan);
  const n = counted.length;
  const every = n > 0 && n === plan.targets.length; // then rows are read and written where they lie
  const size = Math.max(1, Math.min(n, Math.floor(BLOCK / V)));
  const k = kernels();
  const gemmBytes = Math.max(
    k.gemmScratchBytes(size, V, I),
    gradients ? Math.max(k.gemmScratchBytes(size, I, V), k.gemmScratchBytes(V, I, size)) : 0,
  );
  const layout = layOut({
    rows: n,
    targets: n,
    logits: size * V,
    inputs: every ? 0 : size * I,
    moves: every ? 0 : size * I,
    gemm: gemmBytes / 4,
  });
  const totals: BlockTotals = { loss: 0, correct: 0 };
  if (gradients && !every) clear(gradients, n);
  withScratch(layout.bytes, (base) => {
    const at = layout.at(base);
    const heap = heapBytes();
    new Int32Array(heap.buffer, at.rows, n).set(counted);
    new Int32Array(heap.buffer, at.targets, n).set(counted.map((row) => plan.targets[row] as number));
    for (let first = 0; first < n; first += size) {
      const m = Math.min(size, n - first);
      const [rows, targets] = [at.rows + 4 * first, at.targets + 4 * first];
      const inputs = every ? address(parts.x) + 4 * first * I : at.inputs;
      if (!every) k.gatherRows(address(parts.x), rows, m, I, inputs, I);
      const bias = parts.bias ? address(parts.bias) : 0;
      k.gemmBias(0, 1, m, V, I, inputs, I, address(parts.weight), I, at.logits, V, bias, 0, at.gemm);
      if (!gradients) totals.correct += k.countLargest(at.logits, targets, m, V);
      const [to, { smoothing, scale }] = [gradients ? at.logits : 0, plan];
      totals.loss += k.crossEntropyRows(at.logits, to, targets, m, V, smoothing, scale, -1);
      if (!gradients) continue;
      const moves = every ? address(gradients.x) + 4 * first * I : at.moves;
      k.gemm(0, 0, m, I, V, at.logits, V, address(parts.weight), I, moves, I, false, at.gemm);
      if (!every) k.scatterAddRows(moves, I, rows, m, I, -1, address(gradients.x));
      k.gemm(1, 0, V, I, m, at.logits, V, inputs, I, address(gradients.weight), I, first > 0, at.gemm);
      if (gradients.bias) k.columnSums(at.logits, V, m, V, address(gradients.bias), first > 0);
    }
  });
  return totals;
}

/** Rows of dx that no block writes are zero; so is everything when there is no row. */
function clear({ x, weight, bias }: LinearParts, counted: number): void {
  const k = kernels();
  const sizeOf = ({ shape }: TensorInfo) => shape.reduce((product, size) => product * size, 1);
  k.zeroFill(address(x), sizeOf(x));
  if (counted > 0) return;
  k.zeroFill(address(weight), sizeOf(weight));
  if (bias) k.zeroFill(address(bias), sizeOf(bias));
}

function countedRows({ targets, ignoreId }: CrossEntropyPlan): Int32Array {
  const rows = new Int32Array(targets.length);
  let n = 0;
  for (let row = 0; row < targets.length; row++) if (targets[row] !== ignoreId) rows[n++] = row;
  return rows.subarray(0, n);
}

/** Several arrays of 4-byte elements in one scratch block, each aligned to 16 bytes. */
function layOut<Name extends string>(
  sizes: Record<Name, number>,
): {
  bytes: number;
  at(base: number): Record<Name, number>;
} {
  const offsets = {} as Record<Name, number>;
  let bytes = 0;
  for (const name of Object.keys(sizes) as Name[]) {
    offsets[name] = bytes;
    bytes += (sizes[name] * 4 + 15) & ~15;
  }
  const at = (base: number) => {
    const entries = Object.entries<number>(offsets).map(([name, offset]) => [name, base + offset]);
    return Object.fromEntries(entries) as Record<Name, number>;
  };
  return { bytes, at };
}
