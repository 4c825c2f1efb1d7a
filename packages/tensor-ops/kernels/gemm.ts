// Matrix product C[M,N] (+)= op(A) op(B) for any size and transposition. After Goto & van de Geijn (2008): A is packed in
// panels of 6 rows, B in panels of 8 columns, blocked so that a block of A stays in the second-level cache and a panel of B
// in the first. All leading dimensions are in elements; `scratch` points at gemmScratchBytes(M, N, K) bytes.
import { micro1, micro2, micro3, micro4, micro5, micro6 } from "./micro.generated";

const KC: i32 = 512; // depth of a block
const NC: i32 = 256; // columns of B packed at a time
const MC: i32 = 48; // rows of A that stay in the first cache
const MB: i32 = 1536; // rows of A packed at a time
const TILE: usize = 256; // bytes for one 6x8 tile at the right edge

@inline function ceil4(k: i32): i32 { return (k + 3) & ~3; }

/** Four rows of four -> their transpose at d, d+stride, … */
@inline function transpose4(r0: v128, r1: v128, r2: v128, r3: v128, d: usize, stride: usize): void {
  const t0 = v128.shuffle<f32>(r0, r1, 0, 4, 1, 5), t1 = v128.shuffle<f32>(r2, r3, 0, 4, 1, 5);
  const t2 = v128.shuffle<f32>(r0, r1, 2, 6, 3, 7), t3 = v128.shuffle<f32>(r2, r3, 2, 6, 3, 7);
  v128.store(d, v128.shuffle<i64>(t0, t1, 0, 2));
  v128.store(d + stride, v128.shuffle<i64>(t0, t1, 1, 3));
  v128.store(d + 2 * stride, v128.shuffle<i64>(t2, t3, 0, 2));
  v128.store(d + 3 * stride, v128.shuffle<i64>(t2, t3, 1, 3));
}

/** Bytes of a B[K,N] packed by packB. */
export function packedBytes(K: i32, N: i32): i32 { return ceil4(K) * ((N + 7) & ~7) * 4; }

/** B[K,N] (element (k,n) at b[k*ldb+n], transposed at b[n*ldb+k]) -> panels [N/8][ceil4(K)][8], zero padded. */
export function packB(transposed: i32, b: usize, ldb: i32, K: i32, N: i32, d: usize): void {
  const kp = ceil4(K), ld = <usize>ldb << 2;
  for (let j = 0; j < N; j += 8) {
    const nr = min(8, N - j);
    if (nr == 8) {
      if (!transposed) {
        let s = b + (<usize>j << 2);
        for (let k = 0; k < K; k++) {
          v128.store(d, v128.load(s));
          v128.store(d, v128.load(s, 16), 16);
          d += 32; s += ld;
        }
      } else {
        let s = b + <usize>j * ld, k = 0;
        for (; k + 4 <= K; k += 4) {
          transpose4(v128.load(s), v128.load(s + ld), v128.load(s + 2 * ld), v128.load(s + 3 * ld), d, 32);
          const q = s + 4 * ld;
          transpose4(v128.load(q), v128.load(q + ld), v128.load(q + 2 * ld), v128.load(q + 3 * ld), d + 16, 32);
          s += 16; d += 128;
        }
        for (; k < K; k++) {
          for (let i = 0; i < 8; i++) store<f32>(d + (<usize>i << 2), load<f32>(s + <usize>i * ld));
          s += 4; d += 32;
        }
      }
      for (let k = K; k < kp; k++) { v128.store(d, f32x4.splat(0)); v128.store(d, f32x4.splat(0), 16); d += 32; }
    } else {
      memory.fill(d, 0, <usize>kp << 5);
      for (let k = 0; k < K; k++) {
        for (let i = 0; i < nr; i++) {
          const at = transposed ? <usize>(j + i) * ld + (<usize>k << 2) : <usize>k * ld + (<usize>(j + i) << 2);
          store<f32>(d + (<usize>i << 2), load<f32>(b + at));
        }
        d += 32;
      }
      d += <usize>(kp - K) << 5;
    }
  }
}

/** A[M,K] ((m,k) at a[m*lda+k], transposed at a[k*lda+m]) -> panels of 6 rows [ceil4(K)][6], the last [ceil4(K)][M%6]. May write 8 bytes past its end. */
function packA(transposed: i32, a: usize, lda: i32, M: i32, K: i32, d0: usize): void {
  const kp = ceil4(K), ld = <usize>lda << 2;
  let d = d0;
  for (let i = 0; i < M; i += 6) {
    const mr = min(6, M - i), step = <usize>mr << 2;
    const panelEnd = d + <usize>kp * step;
    if (transposed) {
      let s = a + (<usize>i << 2);
      if (mr == 6) for (let k = 0; k < K; k++) { v128.store(d, v128.load(s)); store<u64>(d, load<u64>(s, 16), 16); d += 24; s += ld; }
      else if (mr == 4) for (let k = 0; k < K; k++) { v128.store(d, v128.load(s)); d += 16; s += ld; }
      else for (let k = 0; k < K; k++) { for (let r = 0; r < mr; r++) store<f32>(d + (<usize>r << 2), load<f32>(s + (<usize>r << 2))); d += step; s += ld; }
    } else {
      let s = a + <usize>i * ld, k = 0;
      if (mr == 6) {
        for (; k + 4 <= K; k += 4) {
          const r2 = v128.load(s + 2 * ld), r3 = v128.load(s + 3 * ld);
          transpose4(v128.load(s), v128.load(s + ld), r2, r3, d, 24);
          transpose4(r2, r3, v128.load(s + 4 * ld), v128.load(s + 5 * ld), d + 8, 24);
          s += 16; d += 96;
        }
      } else if (mr == 4) {
        for (; k + 4 <= K; k += 4) { transpose4(v128.load(s), v128.load(s + ld), v128.load(s + 2 * ld), v128.load(s + 3 * ld), d, 16); s += 16; d += 64; }
      } else if (mr == 1) { memory.copy(d, s, <usize>K << 2); d += <usize>K << 2; k = K; }
      for (; k < K; k++) { for (let r = 0; r < mr; r++) store<f32>(d + (<usize>r << 2), load<f32>(s + <usize>r * ld)); s += 4; d += step; }
    }
    while (d < panelEnd) { store<f32>(d, 0); d += 4; }
  }
}

@inline function micro(mr: i32, a: usize, b: usize, c: usize, ldc: usize, K: i32, accumulate: bool): void {
  switch (mr) {
    case 6: micro6(a, b, c, ldc, K, accumulate); break;
    case 5: micro5(a, b, c, ldc, K, accumulate); break;
    case 4: micro4(a, b, c, ldc, K, accumulate); break;
    case 3: micro3(a, b, c, ldc, K, accumulate); break;
    case 2: micro2(a, b, c, ldc, K, accumulate); break;
    default: micro1(a, b, c, ldc, K, accumulate);
  }
}

/** C (+)= Ap Bp over the steps [k0, k0+kn) of panels whose depth is kpA and kpB. */
function packedBlock(ap: usize, kpA: i32, bp: usize, kpB: i32, k0: i32, kn: i32, c: usize, ldc: i32, M: i32, N: i32, accumulate: bool, tile: usize): void {
  const ld = <usize>ldc << 2;
  for (let i0 = 0; i0 < M; i0 += MC) {
    const i1 = min(M, i0 + MC);
    for (let j = 0; j < N; j += 8) {
      const b = bp + ((<usize>(j * kpB) + <usize>(k0 << 3)) << 2);
      const nr = min(8, N - j);
      for (let i = i0; i < i1; i += 6) {
        const mr = min(6, i1 - i);
        const a = ap + (<usize>(i * kpA + k0 * mr) << 2);
        const q = c + <usize>i * ld + (<usize>j << 2);
        if (nr == 8) micro(mr, a, b, q, ld, kn, accumulate);
        else {
          micro(mr, a, b, tile, 32, kn, false);
          for (let r = 0; r < mr; r++) for (let x = 0; x < nr; x++) {
            const p = q + <usize>r * ld + (<usize>x << 2), v = load<f32>(tile + (<usize>(r * 8 + x) << 2));
            store<f32>(p, accumulate ? load<f32>(p) + v : v);
          }
        }
      }
    }
  }
}

/** Scratch bytes of gemm. */
export function gemmScratchBytes(M: i32, N: i32, K: i32): i32 {
  return <i32>TILE + 64 + ((min(M, MB) + 8) + (min(N, NC) + 8)) * (min(K, KC) + 8) * 4;
}

/** C[M,N] (+)= op(A) op(B). */
export function gemm(transposeA: i32, transposeB: i32, M: i32, N: i32, K: i32, a: usize, lda: i32, b: usize, ldb: i32, c: usize, ldc: i32, accumulate: bool, scratch: usize): void {
  const tile = scratch, ap = scratch + TILE;
  const blocks = (K + KC - 1) / KC;
  const depth = ceil4((K + blocks - 1) / max(1, blocks));
  if (K == 0 && !accumulate) for (let i = 0; i < M; i++) memory.fill(c + (<usize>(i * ldc) << 2), 0, <usize>N << 2);
  for (let i0 = 0; i0 < M; i0 += MB) {
    const m = min(MB, M - i0);
    for (let k0 = 0; k0 < K; k0 += depth) {
      const k = min(depth, K - k0), kp = ceil4(k);
      packA(transposeA, a + ((transposeA ? <usize>k0 * lda + i0 : <usize>i0 * lda + k0) << 2), lda, m, k, ap);
      const bp = (ap + (<usize>(m * kp) << 2) + 31) & ~15;
      for (let j0 = 0; j0 < N; j0 += NC) {
        const n = min(NC, N - j0);
        packB(transposeB, b + ((transposeB ? <usize>j0 * ldb + k0 : <usize>k0 * ldb + j0) << 2), ldb, k, n, bp);
        packedBlock(ap, kp, bp, kp, 0, kp, c + ((<usize>i0 * ldc + j0) << 2), ldc, m, n, accumulate || k0 > 0, tile);
      }
    }
  }
}

/** Scratch bytes of gemmPacked. */
export function gemmPackedScratchBytes(M: i32, K: i32): i32 { return <i32>TILE + (M + 8) * (K + 8) * 4; }

/** C[M,N] (+)= op(A) B where B was packed once by packB. */
export function gemmPacked(transposeA: i32, M: i32, N: i32, K: i32, a: usize, lda: i32, packed: usize, c: usize, ldc: i32, accumulate: bool, scratch: usize): void {
  const kp = ceil4(K);
  let ap = a;
  if (!(M == 1 && !transposeA && kp == K)) { ap = scratch + TILE; packA(transposeA, a, lda, M, K, ap); }
  const depth = M > 12 ? KC : kp;
  for (let k0 = 0; k0 < kp; k0 += depth) packedBlock(ap, kp, packed, kp, k0, min(depth, kp - k0), c, ldc, M, N, accumulate || k0 > 0, scratch);
}
