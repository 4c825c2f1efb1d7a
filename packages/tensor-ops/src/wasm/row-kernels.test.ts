// The kernels on rows and on whole parameters, in both variants, on a memory of their own: every block in turn at its very end,
// where one byte too many traps, with guards between. Their values are compared with plain loops where rounding is the question.
import { describe, expect, test } from 'vitest';
import { Random } from '../random.js';
import { forSizes } from '../testing/index.js';
import type { KernelExports } from './kernel-exports.generated.js';
import { KERNELS_RELAXED } from './kernels-relaxed.generated.js';
import { KERNELS_SIMD } from './kernels-simd.generated.js';
import { hasRelaxedSimd } from './relaxed-simd.js';

const variants = hasRelaxedSimd() ? { simd: KERNELS_SIMD, relaxed: KERNELS_RELAXED } : { simd: KERNELS_SIMD };
const GUARD = 0x5a;

/** A block of floats, of ids below a number, of bytes 0 or 1, or of scratch. */
type Block =
  | { floats: number; changed?: true }
  | { ids: number; below: number }
  | { bytes: number }
  | { scratch: number };

describe.each(Object.entries(variants))('%s', (_, base64) => {
  const memory = new WebAssembly.Memory({ initial: 16 });
  const heap = new Uint8Array(memory.buffer);
  const module = new WebAssembly.Module(Buffer.from(base64, 'base64'));
  const k = new WebAssembly.Instance(module, { env: { memory } }).exports as unknown as KernelExports;

  /** Lays the blocks out at the end of memory, runs, and looks whether anything but the changed ones has changed. */
  function inBounds<Name extends string>(
    blocks: Record<Name, Block>,
    seed: number,
    run: (at: Record<Name, number>) => void,
  ): void {
    const random = new Random(seed);
    const names = Object.keys(blocks) as Name[];
    const at = {} as Record<Name, number>;
    const lengths = {} as Record<Name, number>;
    let end = heap.length;
    for (let i = 0; i < names.length; i++) {
      const name = names[(i + seed) % names.length]!;
      const block = blocks[name];
      lengths[name] =
        'bytes' in block
          ? block.bytes
          : 'scratch' in block
            ? block.scratch
            : 4 * ('ids' in block ? block.ids : block.floats);
      end -= lengths[name];
      at[name] = end;
      const bytes = new DataView(heap.buffer, end, lengths[name]);
      if ('floats' in block)
        for (let o = 0; o < bytes.byteLength; o += 4) bytes.setFloat32(o, random.uniform(-2, 2), true);
      if ('ids' in block)
        for (let o = 0; o < bytes.byteLength; o += 4) bytes.setInt32(o, random.integer(block.below), true);
      if ('bytes' in block) for (let o = 0; o < bytes.byteLength; o++) bytes.setUint8(o, random.integer(2));
      end -= 16;
      heap.fill(GUARD, end, end + 16);
    }
    const before = heap.slice();
    run(at);
    for (const name of names) {
      const block = blocks[name];
      const from = 'changed' in block || 'scratch' in block ? at[name] + lengths[name] : at[name];
      const [now, then] = [
        heap.subarray(from, at[name] + lengths[name]),
        before.subarray(from, at[name] + lengths[name]),
      ];
      expect(Buffer.compare(now, then), `${name} is only read`).toBe(0);
      expect(
        heap.subarray(at[name] - 16, at[name]).every((byte) => byte === GUARD),
        `before ${name}`,
      ).toBe(true);
    }
  }

  test('softmax, its logarithm and cross-entropy', () => {
    forSizes(
      'MN',
      ({ M, N }, seed) => {
        const n = M * N;
        const y = { floats: n, changed: true } as const;
        inBounds({ x: { floats: n }, mask: { bytes: n }, y }, seed, ({ x, mask, y }) =>
          k.softmaxRows(x, mask, y, M, N),
        );
        inBounds({ x: { floats: n }, y }, seed, ({ x, y }) => k.softmaxRows(x, 0, y, M, N));
        inBounds({ x: { floats: n }, y }, seed, ({ x, y }) => k.logSoftmaxRows(x, y, M, N));
        inBounds({ p: { floats: n }, d: { floats: n }, y }, seed, ({ p, d, y }) =>
          k.softmaxGradientRows(p, d, y, M, N),
        );
        inBounds({ p: { floats: n }, d: { floats: n }, y }, seed, ({ p, d, y }) =>
          k.logSoftmaxGradientRows(p, d, y, M, N),
        );
        const targets = { ids: M, below: N };
        inBounds({ x: { floats: n }, y, targets }, seed, ({ x, y, targets }) => {
          k.crossEntropyRows(x, y, targets, M, N, 0.1, 1, 0);
          k.crossEntropyRows(x, 0, targets, M, N, 0, 1, -1);
          k.countLargest(x, targets, M, N);
        });
      },
      { least: 1 },
    );
  });

  test('layer norm, dropout, embedding', () => {
    forSizes(
      'MN',
      ({ M, N }, seed) => {
        const [x, row] = [{ floats: M * N }, { floats: N }];
        const [y, sum] = [{ floats: M * N, changed: true } as const, { floats: N, changed: true } as const];
        inBounds({ x, w: row, b: row, y }, seed, ({ x, w, b, y }) => k.layerNormRows(x, w, b, y, M, N, 1e-5));
        inBounds({ x, w: row, d: x, y, dw: sum, db: sum }, seed, ({ x, w, d, y, dw, db }) =>
          k.layerNormGradientRows(x, w, d, y, dw, db, M, N, 1e-5),
        );
        inBounds({ x, y }, seed, ({ x, y }) => k.dropoutRows(x, y, M, N, 7, 1, 2, 0x40000000, 2));
        const ids = { ids: M, below: 5 };
        const table = { floats: 5 * N };
        inBounds({ x, y }, seed, ({ x, y }) => k.copyRuns(x, 4 * N, M, 4 * N, y, 4 * N));
        inBounds({ x, y: { floats: 3 * M * N, changed: true } }, seed, ({ x, y }) => k.repeatBlocks(x, M, 4 * N, 3, y));
        inBounds({ table, ids, y }, seed, ({ table, ids, y }) => k.gatherRows(table, ids, M, N, y, N));
        inBounds({ x, ids, table: { ...table, changed: true } }, seed, ({ x, ids, table }) =>
          k.scatterAddRows(x, N, ids, M, N, 1, table),
        );
      },
      { least: 1 },
    );
  });

  test('optimizers', () => {
    forSizes('N', ({ N }, seed) => {
      const [x, y] = [{ floats: N }, { floats: N, changed: true } as const];
      inBounds({ p: y, g: x, m: y, v: y }, seed, ({ p, g, m, v }) =>
        k.adamStep(p, g, m, v, N, 0.1, 0.9, 0.1, 0.99, 0.01, 2, 1e-8, 0.1, 0.99),
      );
      inBounds({ p: y, g: x, b: y }, seed, ({ p, g, b }) => k.momentumStep(p, g, b, N, 0.1, 0.9, true, 0.1));
      inBounds({ x, y }, seed, ({ x, y }) => k.scaleAdd(x, y, N, 2, 3));
      inBounds({ x, y }, seed, ({ x, y }) => k.scaleBy(x, y, N, 2));
      inBounds({ x: y, y }, seed, ({ x, y }) => k.exchange(x, y, N));
      inBounds({ x }, seed, ({ x }) => k.sumOfSquares(x, N));
      inBounds({ y }, seed, ({ y }) => k.zeroFill(y, N));
    });
  });

  test('8-bit products', () => {
    forSizes(
      'MKO',
      ({ M, K, O }, seed) => {
        const packed = { scratch: k.int8PackedBytes(O, K) };
        inBounds({ q: { bytes: O * K }, packed }, seed, ({ q, packed }) => k.int8Pack(q, O, K, packed));
        const blocks = {
          x: { floats: M * K },
          packed,
          scales: { floats: (O + 3) & ~3 },
          bias: { floats: O },
          y: { floats: M * O, changed: true } as const,
          scratch: { scratch: k.int8ScratchBytes(M, K) },
        };
        inBounds(blocks, seed, ({ x, packed, scales, bias, y, scratch }) => {
          k.int8Linear(x, M, K, packed, scales, bias, y, O, scratch);
          k.int8Linear(x, M, K, packed, scales, 0, y, O, scratch);
        });
      },
      { least: 1 },
    );
  });

  test('softmax is within 5e-7 of the exact one of the rounded differences from the maximum', () => {
    const n = 101;
    for (const [low, high] of [
      [-1, 1],
      [-20, 20],
      [-80, 0],
      [1000, 1010],
    ] as const) {
      const random = new Random(1);
      const x = Float32Array.from({ length: n }, () => random.uniform(low, high));
      const [from, to] = [1024, 4096];
      heap.set(new Uint8Array(x.buffer), from);
      k.softmaxRows(from, 0, to, 1, n);
      const largest = Math.max(...x);
      const powers = [...x].map((v) => Math.exp(Math.fround(v - largest)));
      const total = powers.reduce((sum, v) => sum + v, 0);
      const worst = [...new Float32Array(heap.buffer, to, n)].map((v, i) => Math.abs(v / (powers[i]! / total) - 1));
      expect(Math.max(...worst)).toBeLessThan(5e-7);
    }
  });
});
