// C = init + X Yᵀ by dot products: both are read along their rows, nothing is packed. The way to multiply few rows by a
// weight that lies as PyTorch stores it. Four rows of Y share each load of X.
import { madd } from "./math";

/** The sums of the lanes of four vectors. */
@inline function sums4(a: v128, b: v128, c: v128, d: v128): v128 {
  const t0 = v128.add<f32>(v128.shuffle<f32>(a, b, 0, 4, 1, 5), v128.shuffle<f32>(a, b, 2, 6, 3, 7));
  const t1 = v128.add<f32>(v128.shuffle<f32>(c, d, 0, 4, 1, 5), v128.shuffle<f32>(c, d, 2, 6, 3, 7));
  return v128.add<f32>(v128.shuffle<i64>(t0, t1, 0, 2), v128.shuffle<i64>(t0, t1, 1, 3));
}

/** The n (1 to 3) elements at p, then zeros. */
@inline function tail(p: usize, n: i32): v128 {
  let v = v128.load_zero<f32>(p);
  if (n > 1) v = f32x4.replace_lane(v, 1, load<f32>(p, 4));
  if (n > 2) v = f32x4.replace_lane(v, 2, load<f32>(p, 8));
  return v;
}

/** The first `count` of four sums, plus init where it is not 0, to c. */
@inline function put(sums: v128, count: i32, c: usize, init: usize): void {
  if (count == 4) {
    v128.store(c, init ? v128.add<f32>(sums, v128.load(init)) : sums);
    return;
  }
  for (let i = 0; i < count; i++) {
    const sum = f32x4.extract_lane(sums, 0);
    store<f32>(c, init ? sum + load<f32>(init) : sum);
    sums = v128.shuffle<f32>(sums, sums, 1, 2, 3, 0);
    c += 4; init = init ? init + 4 : 0;
  }
}

/** C[M,N] = init + X[M,K] Y[N,K]ᵀ; xRow, yRow, cRow and initRow lead from row to row, in bytes. */
export function dotProducts(x: usize, xRow: usize, M: i32, y: usize, yRow: usize, N: i32, K: i32, c: usize, cRow: usize, init: usize, initRow: usize): void {
  const whole = <usize>(K & ~3) << 2, rest = K & 3;
  for (let j = 0; j < N; j += 4) {
    const n = min(4, N - j); // the first of the four stands in for rows that are not there
    const y0 = y + <usize>j * yRow, y1 = n > 1 ? y0 + yRow : y0, y2 = n > 2 ? y1 + yRow : y0, y3 = n > 3 ? y2 + yRow : y0;
    let i = 0, u0 = x, to = c + (<usize>j << 2), from = init ? init + (<usize>j << 2) : 0;
    for (; i + 2 <= M; i += 2) {
      const v0 = u0 + xRow;
      let a0 = f32x4.splat(0), a1 = f32x4.splat(0), a2 = f32x4.splat(0), a3 = f32x4.splat(0);
      let b0 = f32x4.splat(0), b1 = f32x4.splat(0), b2 = f32x4.splat(0), b3 = f32x4.splat(0);
      for (let k: usize = 0; k < whole; k += 16) {
        const u = v128.load(u0 + k), v = v128.load(v0 + k);
        { const t = v128.load(y0 + k); a0 = madd(u, t, a0); b0 = madd(v, t, b0); }
        { const t = v128.load(y1 + k); a1 = madd(u, t, a1); b1 = madd(v, t, b1); }
        { const t = v128.load(y2 + k); a2 = madd(u, t, a2); b2 = madd(v, t, b2); }
        { const t = v128.load(y3 + k); a3 = madd(u, t, a3); b3 = madd(v, t, b3); }
      }
      if (rest) {
        const u = tail(u0 + whole, rest), v = tail(v0 + whole, rest);
        { const t = tail(y0 + whole, rest); a0 = madd(u, t, a0); b0 = madd(v, t, b0); }
        { const t = tail(y1 + whole, rest); a1 = madd(u, t, a1); b1 = madd(v, t, b1); }
        { const t = tail(y2 + whole, rest); a2 = madd(u, t, a2); b2 = madd(v, t, b2); }
        { const t = tail(y3 + whole, rest); a3 = madd(u, t, a3); b3 = madd(v, t, b3); }
      }
      put(sums4(a0, a1, a2, a3), n, to, from);
      put(sums4(b0, b1, b2, b3), n, to + cRow, from ? from + initRow : 0);
      u0 = v0 + xRow; to += 2 * cRow; from = from ? from + 2 * initRow : 0;
    }
    if (i < M) {
      let a0 = f32x4.splat(0), a1 = f32x4.splat(0), a2 = f32x4.splat(0), a3 = f32x4.splat(0);
      let b0 = f32x4.splat(0), b1 = f32x4.splat(0), b2 = f32x4.splat(0), b3 = f32x4.splat(0);
      let k: usize = 0;
      for (; k + 32 <= whole; k += 32) {
        const u = v128.load(u0 + k), v = v128.load(u0 + k, 16);
        a0 = madd(u, v128.load(y0 + k), a0); b0 = madd(v, v128.load(y0 + k, 16), b0);
        a1 = madd(u, v128.load(y1 + k), a1); b1 = madd(v, v128.load(y1 + k, 16), b1);
        a2 = madd(u, v128.load(y2 + k), a2); b2 = madd(v, v128.load(y2 + k, 16), b2);
        a3 = madd(u, v128.load(y3 + k), a3); b3 = madd(v, v128.load(y3 + k, 16), b3);
      }
      if (k < whole) {
        const u = v128.load(u0 + k);
        a0 = madd(u, v128.load(y0 + k), a0); a1 = madd(u, v128.load(y1 + k), a1);
        a2 = madd(u, v128.load(y2 + k), a2); a3 = madd(u, v128.load(y3 + k), a3);
      }
      if (rest) {
        const u = tail(u0 + whole, rest);
        a0 = madd(u, tail(y0 + whole, rest), a0); a1 = madd(u, tail(y1 + whole, rest), a1);
        a2 = madd(u, tail(y2 + whole, rest), a2); a3 = madd(u, tail(y3 + whole, rest), a3);
      }
      put(sums4(v128.add<f32>(a0, b0), v128.add<f32>(a1, b1), v128.add<f32>(a2, b2), v128.add<f32>(a3, b3)), n, to, from);
    }
  }
}
