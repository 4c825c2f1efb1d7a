// The matrix product's kernels on a memory of their own, every operand in turn at its very end, where one byte too many traps.
import { describe, expect, test } from 'vitest';
import { Random } from '../random.js';
import { expectClose, forSizes } from '../testing/index.js';
import type { KernelExports } from './kernel-exports.generated.js';
import { KERNELS_RELAXED } from './kernels-relaxed.generated.js';
import { KERNELS_SIMD } from './kernels-simd.generated.js';
import { hasRelaxedSimd } from './relaxed-simd.js';

const PAGES = 400;
const GUARD = 123;
const variants = hasRelaxedSimd() ? { simd: KERNELS_SIMD, relaxed: KERNELS_RELAXED } : { simd: KERNELS_SIMD };
const functions = [
  (x: number) => x,
  (x: number) => Math.max(0, x),
  (x: number) => Math.min(6, Math.max(0, x)),
  (x: number) => 1 / (1 + Math.exp(-x)),
  Math.tanh,
  (x: number) => (x < 0 ? Math.expm1(x) : x),
];

interface Product {
  M: number;
  N: number;
  K: number;
  transposeA: number;
  transposeB: number;
  seed: number;
  /** What the product is added to: nothing, C, or a bias a column. */
  onto?: 'nothing' | 'output' | 'bias';
  activation?: number;
  packed?: boolean;
  /** Elements between the rows' ends. */
  gap?: number;
}

describe.each(Object.entries(variants))('%s', (_, base64) => {
  const memory = new WebAssembly.Memory({ initial: PAGES });
  const heap = new Float32Array(memory.buffer);
  const module = new WebAssembly.Module(Buffer.from(base64, 'base64'));
  const k = new WebAssembly.Instance(module, { env: { memory } }).exports as unknown as KernelExports;

  /** Runs one product and compares it, and what lies around it, with a plain loop. */
  function check({
    M,
    N,
    K,
    transposeA,
    transposeB,
    seed,
    onto = 'nothing',
    activation = 0,
    packed = false,
    gap = 0,
  }: Product) {
    const random = new Random(seed);
    const [lda, ldb, ldc] = [(transposeA ? M : K) + gap, (transposeB ? K : N) + gap, N + gap];
    const length = (rows: number, ld: number, width: number) => (rows && width ? (rows - 1) * ld + width : 0);
    const scratchBytes = packed ? k.gemmPackedScratchBytes(M, K) : k.gemmScratchBytes(M, N, K);
    const parts = {
      a: length(transposeA ? K : M, lda, lda - gap),
      b: length(transposeB ? N : K, ldb, ldb - gap),
      c: length(M, ldc, N),
      bias: N,
      scratch: scratchBytes / 4,
      packedB: k.packedBytes(K, N) / 4,
    };
    const names = Object.keys(parts) as (keyof typeof parts)[];
    const order = names.map((_, i) => names[(i + seed) % names.length]!);
    const at = {} as Record<keyof typeof parts, number>;
    let end = heap.length;
    for (const name of order) {
      at[name] = end -= parts[name];
      end -= 4;
      heap.fill(GUARD, end, end + 4);
    }
    for (const name of ['a', 'b', 'c', 'bias'] as const) {
      for (let i = 0; i < parts[name]; i++) heap[at[name] + i] = random.uniform(-1, 1);
    }
    const from = (name: keyof typeof parts) => at[name] * 4;
    const before = heap.slice(at.c, at.c + parts.c);
    const accumulate = onto === 'output';
    const plain = activation === 0 && onto !== 'bias';
    const bias = onto === 'bias' ? from('bias') : 0;
    if (packed) {
      k.packB(transposeB, from('b'), ldb, K, N, from('packedB'));
      const common = [transposeA, M, N, K, from('a'), lda, from('packedB'), from('c'), ldc] as const;
      if (plain) k.gemmPacked(...common, accumulate, from('scratch'));
      else k.gemmPackedBias(...common, bias, activation, from('scratch'));
    } else {
      const common = [transposeA, transposeB, M, N, K, from('a'), lda, from('b'), ldb, from('c'), ldc] as const;
      if (plain) k.gemm(...common, accumulate, from('scratch'));
      else k.gemmBias(...common, bias, activation, from('scratch'));
    }
    const expected = before.slice();
    for (let m = 0; m < M; m++) {
      for (let n = 0; n < N; n++) {
        let sum = accumulate ? before[m * ldc + n]! : onto === 'bias' ? heap[at.bias + n]! : 0;
        for (let i = 0; i < K; i++) {
          sum +=
            heap[at.a + (transposeA ? i * lda + m : m * lda + i)]! *
            heap[at.b + (transposeB ? n * ldb + i : i * ldb + n)]!;
        }
        expected[m * ldc + n] = functions[activation]!(sum);
      }
    }
    expectClose(
      heap.slice(at.c, at.c + parts.c),
      expected,
      1e-4,
      JSON.stringify({ M, N, K, transposeA, transposeB, onto, packed }),
    );
    for (const name of order) expect(heap[at[name] - 1], `before ${name}`).toBe(GUARD);
  }

  const transposes = [0, 1].flatMap((transposeA) => [0, 1].map((transposeB) => ({ transposeA, transposeB })));

  test.each(transposes)('every size, transposeA $transposeA, transposeB $transposeB', (transpose) => {
    forSizes(
      'MNK',
      ({ M, N, K }, seed) => {
        const onto = (['nothing', 'output', 'bias'] as const)[seed % 3]!;
        const activation = onto === 'output' ? 0 : seed % functions.length;
        check({ M, N, K, ...transpose, seed, onto, activation, packed: seed % 5 === 0, gap: seed % 4 });
      },
      { runs: 250 },
    );
  });

  test.each(transposes)('sizes beyond every block, transposeA $transposeA, transposeB $transposeB', (transpose) => {
    const sizes = [
      [70, 300, 30],
      [100, 30, 1100],
      [1600, 9, 5],
      [1, 300, 600],
      [90, 1, 520],
      [30, 20, 550],
      [8, 300, 1100],
      [9, 32, 1100],
      [12, 200, 1100],
      [13, 200, 1100],
      [64, 200, 600],
      [65, 200, 600],
    ] as const;
    for (const [i, [M, N, K]] of sizes.entries()) {
      for (const packed of [false, true])
        check({ M, N, K, ...transpose, seed: i, packed, onto: i % 2 ? 'output' : 'bias' });
    }
  });

  test.each([0, 1])('few rows by a packed weight that no cache holds, transposeA %i', (transposeA) => {
    for (const [M, activation] of [
      [1, 4],
      [2, 0],
      [4, 1],
      [7, 3],
    ] as const) {
      check({ M, N: 2121, K: 500, transposeA, transposeB: 1, seed: M, packed: true, onto: 'bias', activation, gap: M });
    }
    check({ M: 3, N: 2121, K: 500, transposeA, transposeB: 0, seed: 5, packed: true, onto: 'output' });
  });
});
