// C[M,N] = f(init + op(A) op(B)) for any size and transposition, after Goto & van de Geijn (2008): B is packed in panels of
// eight columns and the work is blocked, so that rows of A stay in the second cache and a panel of B in the first. A copy is made
// only where it pays: A is read where it lies where few columns of B would use the copy, and so is B where few rows of A would.
// Leading dimensions are in elements; `scratch` points at gemmScratchBytes(M, N, K) bytes.
import { activate } from "./activation";
import { dotProducts } from "./dot-products";
import { micro1x32, micro1x8, micro2x8, micro3x8, micro4x8, micro4x8Packed, micro5x8, micro6x8, micro6x8Packed } from "./micro.generated";
import { PANEL_A, packA, packB, packTransposedA } from "./pack";
import { rowProductColumns, rowProducts } from "./row-products";

const KC: i32 = 512; // depth of a block
const NC: i32 = 256; // columns of B packed at a time
const MC: i32 = 48; // rows of A that stay in the second cache
const MB: i32 = 1536; // rows of A packed at a time
const TILE: usize = 256; // bytes for one tile at the right edge
const FEW_ROWS: i32 = 24; // up to so many rows a plain B is read where it lies
const FEW_DOTS: i32 = 32; // up to so many rows a transposed B is multiplied by dot products
const FEW_TRANSPOSED: i32 = 64; // up to so many rows a transposed A is read where it lies
const FEW_PLAIN: i32 = 2 * PANEL_A; // up to so many rows a plain A is
const FEW_STREAMED: i32 = ASC_FEATURE_RELAXED_SIMD ? 7 : 4; // up to so many rows, if not one, are multiplied by a packed B read in four parts
const STREAMED: i32 = 1 << 20; // where it has more floats than stay in a cache
const FEW_COLUMNS: i32 = ASC_FEATURE_RELAXED_SIMD ? 191 : 31; // and up to so many columns of B

@inline function micro(rows: i32, a: usize, aRow: usize, aStep: usize, b: usize, bStep: usize, K: i32, c: usize, cRow: usize, init: usize, initRow: usize): void {
  if (rows == PANEL_A && aStep == PANEL_A << 2 && aRow == 4 && bStep == 32) {
    if (PANEL_A == 6) return micro6x8Packed(a, b, K, c, cRow, init, initRow);
    return micro4x8Packed(a, b, K, c, cRow, init, initRow);
  }
  if (PANEL_A == 6) {
    if (rows == 6) return micro6x8(a, aRow, aStep, b, bStep, K, c, cRow, init, initRow);
    if (rows == 5) return micro5x8(a, aRow, aStep, b, bStep, K, c, cRow, init, initRow);
  }
  switch (rows) {
    case 4: return micro4x8(a, aRow, aStep, b, bStep, K, c, cRow, init, initRow);
    case 3: return micro3x8(a, aRow, aStep, b, bStep, K, c, cRow, init, initRow);
    case 2: return micro2x8(a, aRow, aStep, b, bStep, K, c, cRow, init, initRow);
    default: micro1x8(a, aRow, aStep, b, bStep, K, c, cRow, init, initRow);
  }
}

/**
 * C[M,N] = f(init + A B) over K steps; init is left out where it is 0. All strides in bytes: aPanel leads to A's next panel of
 * rows, aRow and aStep to the next row and step; bPanel to B's next eight columns, bStep to their next step. Columns past the last
 * whole eight are at bLast, packed.
 */
function multiply(a: usize, aPanel: usize, aRow: usize, aStep: usize, b: usize, bPanel: usize, bStep: usize, bLast: usize, M: i32, N: i32, K: i32, c: usize, cRow: usize, init: usize, initRow: usize, activation: i32, tile: usize): void {
  for (let i0 = 0; i0 < M; i0 += MC) {
    const i1 = min(M, i0 + MC);
    let j = 0, bj = b;
    if (M == 1 && bPanel == 32) {
      for (; j + 32 <= N; j += 32) {
        const at = <usize>j << 2;
        micro1x32(a, aRow, aStep, bj, bStep, K, c + at, cRow, init ? init + at : 0, initRow);
        bj += 128;
      }
    }
    for (; j + 8 <= N; j += 8) {
      const at = <usize>j << 2;
      let ai = a, ci = c + at, from = init ? init + at : 0;
      for (let i = i0; i < i1; i += PANEL_A) {
        micro(min(PANEL_A, i1 - i), ai, aRow, aStep, bj, bStep, K, ci, cRow, from, initRow);
        ai += aPanel; ci += PANEL_A * cRow;
        if (init) from += PANEL_A * initRow;
      }
      bj += bPanel;
    }
    if (j < N) {
      let ai = a;
      for (let i = i0; i < i1; i += PANEL_A) {
        const rows = min(PANEL_A, i1 - i);
        micro(rows, ai, aRow, aStep, bLast, 32, K, tile, 32, 0, 0);
        for (let r = 0; r < rows; r++) {
          const row = <usize>(i - i0 + r);
          for (let x = 0; x < N - j; x++) {
            const at = <usize>(j + x) << 2;
            let value = load<f32>(tile + (<usize>(r * 8 + x) << 2));
            if (init) value += load<f32>(init + row * initRow + at);
            store<f32>(c + row * cRow + at, value);
          }
        }
        ai += aPanel;
      }
    }
    if (activation) activate(activation, c, cRow, i1 - i0, N);
    a += <usize>(MC / PANEL_A) * aPanel; c += MC * cRow;
    if (init) init += MC * initRow;
  }
}

function product(transposeA: i32, transposeB: i32, M: i32, N: i32, K: i32, a: usize, lda: i32, b: usize, ldb: i32, c: usize, cRow: usize, init: usize, initRow: usize, activation: i32, scratch: usize): void {
  const aRow: usize = transposeA ? 4 : <usize>lda << 2, aStep: usize = transposeA ? <usize>lda << 2 : 4;
  if (N == 1 && M > 1 && cRow == 4 && (!init || initRow == 4)) { // a column: the row of the transposed product
    return product(transposeB || ldb == 1 ? 0 : 1, 1 - transposeA, 1, M, K, b, ldb, a, lda, c, 0, init, 0, activation, scratch);
  }
  if (transposeB && !transposeA && (M <= FEW_DOTS || (N < 24 && N & 7))) {
    dotProducts(a, aRow, M, b, <usize>ldb << 2, N, K, c, cRow, init, initRow);
    if (activation) activate(activation, c, cRow, M, N);
    return;
  }
  const tile = scratch, ap = scratch + TILE;
  if (K == 0 || (!transposeB && M <= FEW_ROWS)) {
    const whole = N & ~7;
    if (whole < N) packB(transposeB, b + <usize>whole * (transposeB ? <usize>ldb << 2 : 4), ldb, K, N - whole, ap);
    return multiply(a, PANEL_A * aRow, aRow, aStep, b, 32, <usize>ldb << 2, ap, M, N, K, c, cRow, init, initRow, activation, tile);
  }
  const copyA = copiesA(transposeA, M, N);
  const blocks = (K + KC - 1) / KC, depth = (K + blocks - 1) / blocks;
  for (let i0 = 0; i0 < M; i0 += MB) {
    const m = min(MB, M - i0);
    for (let k0 = 0; k0 < K; k0 += depth) {
      const k = min(depth, K - k0), last = k0 + k == K ? activation : 0;
      const ai = a + <usize>i0 * aRow + <usize>k0 * aStep;
      if (copyA) copyOfA(transposeA, ai, lda, m, k, ap);
      const bp = ap + (copyA ? aBytes(m, k) : 0);
      for (let j0 = 0; j0 < N; j0 += NC) {
        const n = min(NC, N - j0), ci = c + <usize>i0 * cRow + (<usize>j0 << 2);
        const from = k0 > 0 ? ci : init ? init + <usize>i0 * initRow + (<usize>j0 << 2) : 0, fromRow = k0 > 0 ? cRow : initRow;
        packB(transposeB, b + ((transposeB ? <usize>j0 * ldb + k0 : <usize>k0 * ldb + j0) << 2), ldb, k, n, bp);
        const bLast = bp + <usize>(n >> 3) * <usize>(k << 5);
        if (copyA) multiply(ap, PANEL_A * k << 2, 4, PANEL_A << 2, bp, k << 5, 32, bLast, m, n, k, ci, cRow, from, fromRow, last, tile);
        else multiply(ai, PANEL_A * aRow, aRow, aStep, bp, k << 5, 32, bLast, m, n, k, ci, cRow, from, fromRow, last, tile);
      }
    }
  }
}

@inline function copiesA(transposed: i32, M: i32, N: i32): bool {
  return transposed ? M > FEW_TRANSPOSED && N > 8 : M > FEW_PLAIN && N > FEW_COLUMNS;
}

@inline function copyOfA(transposed: i32, a: usize, lda: i32, m: i32, k: i32, d: usize): void {
  if (transposed) packTransposedA(a, lda, m, k, d);
  else packA(a, lda, m, k, d);
}

/** Bytes of a block of A packed. */
@inline function aBytes(m: i32, k: i32): i32 { return ((m + PANEL_A) * k * 4 + 15) & ~15; }

/** Scratch bytes of gemm and gemmBias. */
export function gemmScratchBytes(M: i32, N: i32, K: i32): i32 {
  const k = min(K, KC), inPlace = K << 5;
  return <i32>TILE + max(inPlace, aBytes(min(M, MB), k) + ((min(N, NC) + 7) & ~7) * k * 4) + 32;
}

/** C[M,N] (+)= op(A) op(B). */
export function gemm(transposeA: i32, transposeB: i32, M: i32, N: i32, K: i32, a: usize, lda: i32, b: usize, ldb: i32, c: usize, ldc: i32, accumulate: bool, scratch: usize): void {
  product(transposeA, transposeB, M, N, K, a, lda, b, ldb, c, <usize>ldc << 2, accumulate ? c : 0, <usize>ldc << 2, 0, scratch);
}

/** C[M,N] = f(op(A) op(B) + bias[N]); no bias where its address is 0, f by its number in activation.ts or 0 for none. */
export function gemmBias(transposeA: i32, transposeB: i32, M: i32, N: i32, K: i32, a: usize, lda: i32, b: usize, ldb: i32, c: usize, ldc: i32, bias: usize, activation: i32, scratch: usize): void {
  product(transposeA, transposeB, M, N, K, a, lda, b, ldb, c, <usize>ldc << 2, bias, 0, activation, scratch);
}

/** Scratch bytes of gemmPacked. */
export function gemmPackedScratchBytes(M: i32, K: i32): i32 { return <i32>TILE + aBytes(min(M, MB), min(K, KC)) + 32; }

/** C[M,N] (+)= op(A) B where B was packed once by packB. */
export function gemmPacked(transposeA: i32, M: i32, N: i32, K: i32, a: usize, lda: i32, packed: usize, c: usize, ldc: i32, accumulate: bool, scratch: usize): void {
  const cRow = <usize>ldc << 2;
  packedProduct(transposeA, M, N, K, a, lda, packed, c, cRow, accumulate ? c : 0, cRow, 0, scratch);
}

/** C[M,N] = f(op(A) B + bias[N]) where B was packed once by packB. */
export function gemmPackedBias(transposeA: i32, M: i32, N: i32, K: i32, a: usize, lda: i32, packed: usize, c: usize, ldc: i32, bias: usize, activation: i32, scratch: usize): void {
  packedProduct(transposeA, M, N, K, a, lda, packed, c, <usize>ldc << 2, bias, 0, activation, scratch);
}

function packedProduct(transposeA: i32, M: i32, N: i32, K: i32, a: usize, lda: i32, packed: usize, c: usize, cRow: usize, init: usize, initRow: usize, activation: i32, scratch: usize): void {
  const aRow: usize = transposeA ? 4 : <usize>lda << 2, aStep: usize = transposeA ? <usize>lda << 2 : 4;
  const copyA = copiesA(transposeA, M, N), tile = scratch, ap = scratch + TILE;
  const panel = <usize>K << 5, bLast = packed + <usize>(N >> 3) * panel;
  if (M == 1 || (M <= FEW_STREAMED && N * K > STREAMED)) {
    const columns = rowProductColumns(N), at = <usize>columns << 2;
    rowProducts(a, aRow, aStep, M, columns, K, packed, panel, c, cRow, init, initRow);
    multiply(a, PANEL_A * aRow, aRow, aStep, packed + <usize>(columns >> 3) * panel, panel, 32, bLast, M, N - columns, K, c + at, cRow, init ? init + at : 0, initRow, 0, tile);
    if (activation) activate(activation, c, cRow, M, N);
    return;
  }
  const depth = M > FEW_PLAIN ? KC : max(1, K); // few rows pass over a panel once: nothing to keep in the cache
  for (let i0 = 0; i0 < M; i0 += MB) {
    const m = min(MB, M - i0), ci = c + <usize>i0 * cRow;
    for (let k0 = 0; k0 == 0 || k0 < K; k0 += depth) {
      const k = min(depth, K - k0), last = k0 + k == K ? activation : 0;
      const ai = a + <usize>i0 * aRow + <usize>k0 * aStep, b = <usize>k0 << 5;
      const from = k0 > 0 ? ci : init ? init + <usize>i0 * initRow : 0, fromRow = k0 > 0 ? cRow : initRow;
      if (copyA) {
        copyOfA(transposeA, ai, lda, m, k, ap);
        multiply(ap, PANEL_A * k << 2, 4, PANEL_A << 2, packed + b, panel, 32, bLast + b, m, N, k, ci, cRow, from, fromRow, last, tile);
      } else multiply(ai, PANEL_A * aRow, aRow, aStep, packed + b, panel, 32, bLast + b, m, N, k, ci, cRow, from, fromRow, last, tile);
    }
  }
}
