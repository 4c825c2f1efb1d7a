// Copies of matrices in the order in which the product reads them: panels of PANEL_A rows of A as [K][PANEL_A], panels of
// eight columns of B as [K][8]. Leading dimensions in elements.

/** Rows of a panel of A. Without a fused multiply-add six rows leave no register for the product. */
export const PANEL_A: i32 = ASC_FEATURE_RELAXED_SIMD ? 6 : 4;

/** Panels of a transposed A packed at once, as many as fill the lines of the cache they are read from. */
const ABREAST: i32 = 4;
/** Columns of a transposed A that are read side by side: as many as the processor fetches ahead. */
const STREAMS: i32 = 16;

/** Four rows of four -> the rows of their transpose, `step` bytes apart. */
@inline function transpose4(r0: v128, r1: v128, r2: v128, r3: v128, d: usize, step: usize): void {
  const t0 = v128.shuffle<f32>(r0, r1, 0, 4, 1, 5), t1 = v128.shuffle<f32>(r2, r3, 0, 4, 1, 5);
  const t2 = v128.shuffle<f32>(r0, r1, 2, 6, 3, 7), t3 = v128.shuffle<f32>(r2, r3, 2, 6, 3, 7);
  v128.store(d, v128.shuffle<i64>(t0, t1, 0, 2));
  v128.store(d + step, v128.shuffle<i64>(t0, t1, 1, 3));
  v128.store(d + 2 * step, v128.shuffle<i64>(t2, t3, 0, 2));
  v128.store(d + 3 * step, v128.shuffle<i64>(t2, t3, 1, 3));
}

/** Bytes of a B[K,N] packed by packB. */
export function packedBytes(K: i32, N: i32): i32 { return K * ((N + 7) & ~7) * 4; }

/** B[K,N] (element (k,n) at b[k*ldb+n], transposed at b[n*ldb+k]) -> panels [N/8][K][8], the last filled with zeros. */
export function packB(transposed: i32, b: usize, ldb: i32, K: i32, N: i32, d: usize): void {
  const ld = <usize>ldb << 2, row = transposed ? 4 : ld, column = transposed ? ld : 4;
  let j = 0;
  for (; j + 8 <= N; j += 8) {
    let s = b + <usize>j * column, k = 0;
    if (!transposed) {
      const panel = <usize>K << 5;
      if (j + 16 <= N) { // two panels at once: a row of sixteen floats is a line of the cache
        for (; k < K; k++) {
          const e = d + panel;
          v128.store(d, v128.load(s));
          v128.store(d, v128.load(s, 16), 16);
          v128.store(e, v128.load(s, 32));
          v128.store(e, v128.load(s, 48), 16);
          d += 32; s += ld;
        }
        d += panel; j += 8;
      } else {
        for (; k < K; k++) {
          v128.store(d, v128.load(s));
          v128.store(d, v128.load(s, 16), 16);
          d += 32; s += ld;
        }
      }
    } else {
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
  }
  if (j < N) {
    let s = b + <usize>j * column;
    memory.fill(d, 0, <usize>K << 5);
    for (let k = 0; k < K; k++) {
      for (let i = 0; i < N - j; i++) store<f32>(d + (<usize>i << 2), load<f32>(s + <usize>i * column));
      d += 32; s += row;
    }
  }
}

/** A as it lies, element (m,k) at a[m*lda+k] -> panels [M/PANEL_A][K][PANEL_A]; rows past the last stay unset. */
export function packA(a: usize, lda: i32, M: i32, K: i32, d: usize): void {
  const ld = <usize>lda << 2, step = <usize>PANEL_A << 2;
  for (let i = 0; i < M; i += PANEL_A) {
    const rows = min(PANEL_A, M - i);
    let s = a + <usize>i * ld, k = 0;
    if (rows == PANEL_A) {
      for (; k + 4 <= K; k += 4) {
        transpose4(v128.load(s), v128.load(s + ld), v128.load(s + 2 * ld), v128.load(s + 3 * ld), d, step);
        if (PANEL_A == 6) transpose2(v128.load(s + 4 * ld), v128.load(s + 5 * ld), d + 16, step);
        s += 16; d += 4 * step;
      }
    }
    for (; k < K; k++) {
      for (let r = 0; r < rows; r++) store<f32>(d + (<usize>r << 2), load<f32>(s + <usize>r * ld));
      s += 4; d += step;
    }
  }
}

/** Two rows of four -> the rows of their transpose, `step` bytes apart. */
@inline function transpose2(r0: v128, r1: v128, d: usize, step: usize): void {
  const t0 = v128.shuffle<f32>(r0, r1, 0, 4, 1, 5), t1 = v128.shuffle<f32>(r0, r1, 2, 6, 3, 7);
  v128.store_lane<i64>(d, t0, 0);
  v128.store_lane<i64>(d + step, t0, 1);
  v128.store_lane<i64>(d + 2 * step, t1, 0);
  v128.store_lane<i64>(d + 3 * step, t1, 1);
}

/** Aᵀ as it lies, element (m,k) at a[k*lda+m] -> panels [M/PANEL_A][K][PANEL_A]; rows past the last stay unset. */
export function packTransposedA(a: usize, lda: i32, M: i32, K: i32, d: usize): void {
  const ld = <usize>lda << 2;
  for (let k = 0; k < K; k += STREAMS) {
    packColumns(a, ld, M, min(STREAMS, K - k), <usize>K * (PANEL_A << 2), d);
    a += STREAMS * ld; d += STREAMS * (PANEL_A << 2);
  }
}

/** The same for some of the columns, which lie side by side; `panel` bytes from one panel to the next. */
@inline function packColumns(a: usize, ld: usize, M: i32, columns: i32, panel: usize, d: usize): void {
  const step: usize = PANEL_A << 2;
  let i = 0;
  for (; i + ABREAST * PANEL_A <= M; i += ABREAST * PANEL_A) {
    let s = a + (<usize>i << 2), e = d;
    for (let k = 0; k < columns; k++) {
      for (let p: usize = 0; p < <usize>ABREAST; p++) copyStep(s + p * step, e + p * panel);
      s += ld; e += step;
    }
    d += <usize>ABREAST * panel;
  }
  for (; i < M; i += PANEL_A) {
    const rows = min(PANEL_A, M - i);
    let s = a + (<usize>i << 2), e = d;
    for (let k = 0; k < columns; k++) {
      if (rows == PANEL_A) copyStep(s, e);
      else for (let r = 0; r < rows; r++) store<f32>(e + (<usize>r << 2), load<f32>(s + (<usize>r << 2)));
      s += ld; e += step;
    }
    d += panel;
  }
}

@inline function copyStep(s: usize, d: usize): void {
  v128.store(d, v128.load(s));
  if (PANEL_A == 6) store<u64>(d, load<u64>(s, 16), 16);
}
