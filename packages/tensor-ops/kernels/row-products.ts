// One row, or a few, times a packed B too large for the caches: what such a product waits for is memory, and a processor fetches
// one stretch of it at 7-9 GB/s where it fetches four side by side at 17-20. So B is read in four far parts at once. Strides in bytes.
import { madd, splat } from "./math";

/** Steps of depth that a few rows share: four panels so deep stay in the first cache from row to row. */
const DEPTH: i32 = 64;

/** Columns of C that `rowProducts` computes: all those of whole panels that make four equal parts. */
export function rowProductColumns(N: i32): i32 { return N & ~31; }

/** C[M,N] = init + A B over K steps for N of `rowProductColumns`; init is left out where it is 0, aRow and aStep lead to A's next row and step. */
export function rowProducts(a: usize, aRow: usize, aStep: usize, M: i32, N: i32, K: i32, b: usize, panel: usize, c: usize, cRow: usize, init: usize, initRow: usize): void {
  const part = <usize>N, bPart = (part >> 5) * panel; // a quarter of N floats
  const depth = M > 1 ? DEPTH : max(1, K);
  for (let j: usize = 0; j < part; j += 32) {
    for (let k = 0; k == 0 || k < K; k += depth) {
      const steps = min(depth, K - k), from = k > 0 ? c + j : init ? init + j : 0, fromRow = k > 0 ? cRow : initRow;
      for (let m: usize = 0; m < <usize>M; m++) {
        fourPanels(a + m * aRow + <usize>k * aStep, aStep, steps, b + (<usize>k << 5), bPart, c + j + m * cRow, from ? from + m * fromRow : 0, part);
      }
    }
    b += panel;
  }
}

/** Eight columns of each part, `part` bytes apart in C and init and bPart in B. */
function fourPanels(a: usize, aStep: usize, K: i32, b0: usize, bPart: usize, c: usize, init: usize, part: usize): void {
  let s00 = splat(0), s01 = s00, s10 = s00, s11 = s00, s20 = s00, s21 = s00, s30 = s00, s31 = s00;
  if (init) {
    s00 = v128.load(init); s01 = v128.load(init, 16); init += part;
    s10 = v128.load(init); s11 = v128.load(init, 16); init += part;
    s20 = v128.load(init); s21 = v128.load(init, 16); init += part;
    s30 = v128.load(init); s31 = v128.load(init, 16);
  }
  let b1 = b0 + bPart, b2 = b1 + bPart, b3 = b2 + bPart;
  for (const end = b0 + (<usize>K << 5); b0 < end; b0 += 32) {
    const x = v128.load_splat<f32>(a);
    s00 = madd(x, v128.load(b0), s00); s01 = madd(x, v128.load(b0, 16), s01);
    s10 = madd(x, v128.load(b1), s10); s11 = madd(x, v128.load(b1, 16), s11);
    s20 = madd(x, v128.load(b2), s20); s21 = madd(x, v128.load(b2, 16), s21);
    s30 = madd(x, v128.load(b3), s30); s31 = madd(x, v128.load(b3, 16), s31);
    a += aStep; b1 += 32; b2 += 32; b3 += 32;
  }
  v128.store(c, s00); v128.store(c, s01, 16); c += part;
  v128.store(c, s10); v128.store(c, s11, 16); c += part;
  v128.store(c, s20); v128.store(c, s21, 16); c += part;
  v128.store(c, s30); v128.store(c, s31, 16);
}
