// Additive attention: scores[t,s] = v · h_s, h_s = tanh(q_t + k_s + c[t,s] u), c the coverage and u its weight (Tu et al. 2016),
// both or neither. Letters as in attention.ts, one head; P is A rounded up to whole vectors. Of the [B,T,S,A] of h there is never
// more than the [S,P] of one query; all sums over it are products of matrices.
//
// With several queries and no coverage, h = 1 - 2 / (1 + e^2q e^2k) takes exponentials of T + S rows instead of T*S; only
// where both sides are small enough for them (REACH).
import { maskedWidth, softmaxScores, weightedWidth } from "./attention";
import { tanhMap } from "./elementwise";
import { gemm, gemmScratchBytes } from "./gemm";
import { expV, madd, splat } from "./math";
import { columnSums } from "./rows";

const REACH: f32 = 40; // e^80 and e^-80 are normal numbers; where their product is infinite or zero, h is 1 or -1 as it should be

@inline function floats(n: i32): usize { return <usize>n << 2; }
@inline function padded(n: i32): i32 { return (n + 3) & ~3; }

/** Scratch bytes of both functions. */
export function additiveScratchBytes(T: i32, S: i32, A: i32): i32 {
  const P = padded(A);
  return <i32>floats((2 * T + 3 * S + 5) * P) + max(gemmScratchBytes(1, S, P), gemmScratchBytes(1, P, S));
}

/** x[rows,A] with its rows filled up with zeros to whole vectors: x itself where nothing is missing, else a copy at `out`. */
function padRows(x: usize, rows: i32, A: i32, out: usize): usize {
  const P = padded(A), start = out;
  if (P == A) return x;
  for (let r = 0; r < rows; r++) {
    memory.copy(out, x, floats(A));
    memory.fill(out + floats(A), 0, floats(P - A));
    x += floats(A); out += floats(P);
  }
  return start;
}

/** Whether all of n floats (a multiple of four) lie in ±REACH; NaN does not. */
function withinReach(x: usize, n: i32): bool {
  let top = splat(0);
  const end = x + floats(n);
  for (; x < end; x += 16) top = v128.max<f32>(top, v128.abs<f32>(v128.load(x)));
  return v128.all_true<i32>(v128.le<f32>(top, splat(REACH)));
}

/** out = e^2x for n floats, a multiple of four; out may be x. */
function doubleExp(x: usize, n: i32, out: usize): void {
  const end = x + floats(n);
  for (; x < end; x += 16) {
    const v = v128.load(x);
    v128.store(out, expV(v128.add<f32>(v, v)));
    out += 16;
  }
}

/** h[S,P] = tanh(q + k_s + c[s] u). */
function hidden(q: usize, k: usize, c: usize, u: usize, S: i32, P: i32, h: usize): void {
  const row = floats(P);
  let to = h;
  for (let s = 0; s < S; s++) {
    if (c) {
      const cover = v128.load32_splat(c + floats(s));
      for (let i: usize = 0; i < row; i += 16) v128.store(to + i, madd(cover, v128.load(u + i), v128.add<f32>(v128.load(q + i), v128.load(k + i))));
    } else {
      for (let i: usize = 0; i < row; i += 16) v128.store(to + i, v128.add<f32>(v128.load(q + i), v128.load(k + i)));
    }
    k += row; to += row;
  }
  tanhMap(h, h, S * P);
}

/** The same without coverage from x = e^2q and y = e^2k. */
function hiddenOfExponentials(x: usize, y: usize, S: i32, P: i32, h: usize): void {
  const row = floats(P), one = splat(1), two = splat(2);
  for (let s = 0; s < S; s++) {
    for (let i: usize = 0; i < row; i += 16) {
      v128.store(h + i, v128.sub<f32>(one, v128.div<f32>(two, madd(v128.load(x + i), v128.load(y + i), one))));
    }
    y += row; h += row;
  }
}

/** h[S,P] -> g[s] (1 - h_s²) in place, and added to sums[S,P]. */
function throughTanh(h: usize, g: usize, S: i32, P: i32, sums: usize): void {
  const row = floats(P);
  for (let s = 0; s < S; s++) {
    const gs = v128.load32_splat(g + floats(s));
    for (let i: usize = 0; i < row; i += 16) {
      const x = v128.load(h + i), e = v128.sub<f32>(gs, v128.mul<f32>(gs, v128.mul<f32>(x, x)));
      v128.store(h + i, e);
      v128.store(sums + i, v128.add<f32>(v128.load(sums + i), e));
    }
    h += row; sums += row;
  }
}

/** out[rows,A] = x[rows,P] * v. */
function scaleRows(x: usize, rows: i32, A: i32, v: usize, out: usize): void {
  const body = floats(A & ~3), end = floats(A), row = floats(padded(A));
  for (let r = 0; r < rows; r++) {
    let i: usize = 0;
    for (; i < body; i += 16) v128.store(out + i, v128.mul<f32>(v128.load(x + i), v128.load(v + i)));
    for (; i < end; i += 4) store<f32>(out + i, load<f32>(x + i) * load<f32>(v + i));
    x += row; out += end;
  }
}

/** weights = softmax over the keys. Without coverage c and u are null. */
export function additiveWeights(q: usize, k: usize, v: usize, c: usize, u: usize, mask: usize, maskBatch: i32, maskRow: i32, weights: usize, B: i32, T: i32, S: i32, A: i32, scratch: usize): void {
  const P = padded(A), row = floats(P);
  const qs = scratch + 2 * row, ks = qs + <usize>T * row, h = ks + <usize>S * row, rest = h + <usize>S * row;
  v = padRows(v, 1, A, scratch);
  if (u) u = padRows(u, 1, A, scratch + row);
  for (let b = 0; b < B; b++) {
    const width = maskedWidth(mask, maskRow, T, S);
    let qp = padRows(q, T, A, qs), kp = padRows(k, width, A, ks);
    const factored = !c && T > 1 && withinReach(qp, T * P) && withinReach(kp, width * P);
    if (factored) {
      doubleExp(qp, T * P, qs); doubleExp(kp, width * P, ks);
      qp = qs; kp = ks;
    }
    for (let t = 0; t < T; t++, qp += row) {
      if (factored) hiddenOfExponentials(qp, kp, width, P, h); else hidden(qp, kp, c ? c + floats(t * S) : 0, u, width, P, h);
      gemm(0, 1, 1, width, P, v, P, h, P, weights + floats(t * S), S, false, rest);
    }
    softmaxScores(weights, T, S, width, 1, mask, maskRow);
    q += floats(T * A); k += floats(S * A); weights += floats(T * S);
    if (c) c += floats(T * S);
    if (mask) mask += maskBatch;
  }
}

/**
 * Gradients of q, k, v, and of c and u where they are given, from g = dScores; h is computed again. With e = g (1-h²):
 * dq_t = v sum_s e, dk_s = v sum_t e, dv = sum g h, dc[t,s] = e · (v u), du = v sum c[t,s] e.
 */
export function additiveGradient(q: usize, k: usize, v: usize, c: usize, u: usize, g: usize, dq: usize, dk: usize, dv: usize, dc: usize, du: usize, B: i32, T: i32, S: i32, A: i32, scratch: usize): void {
  const P = padded(A), row = floats(P);
  const uv = scratch + 2 * row, dvs = uv + row, dus = dvs + row, qs = dus + row, ks = qs + <usize>T * row;
  const dqs = ks + <usize>S * row, dks = dqs + <usize>T * row, h = dks + <usize>S * row, rest = h + <usize>S * row;
  v = padRows(v, 1, A, scratch);
  if (u) {
    u = padRows(u, 1, A, scratch + row);
    scaleRows(u, 1, P, v, uv);
  }
  memory.fill(dvs, 0, 2 * row);
  for (let b = 0; b < B; b++) {
    const width = weightedWidth(g, T, S);
    let qp = padRows(q, T, A, qs), kp = padRows(k, width, A, ks);
    const factored = !c && T > 1 && withinReach(qp, T * P) && withinReach(kp, width * P);
    if (factored) {
      doubleExp(qp, T * P, qs); doubleExp(kp, width * P, ks);
      qp = qs; kp = ks;
    }
    memory.fill(dks, 0, <usize>S * row);
    for (let t = 0; t < T; t++, qp += row) {
      const gt = g + floats(t * S), ct = c ? c + floats(t * S) : 0;
      if (factored) hiddenOfExponentials(qp, kp, width, P, h); else hidden(qp, kp, ct, u, width, P, h);
      gemm(0, 0, 1, P, width, gt, S, h, P, dvs, P, true, rest);
      throughTanh(h, gt, width, P, dks);
      columnSums(h, P, width, P, dqs + <usize>t * row, false);
      if (c) {
        gemm(0, 1, 1, width, P, uv, P, h, P, dc + floats(t * S), S, false, rest);
        memory.fill(dc + floats(t * S + width), 0, floats(S - width));
        gemm(0, 0, 1, P, width, ct, S, h, P, dus, P, true, rest);
      }
    }
    scaleRows(dqs, T, A, v, dq);
    scaleRows(dks, S, A, v, dk);
    q += floats(T * A); k += floats(S * A); dq += floats(T * A); dk += floats(S * A);
    g += floats(T * S);
    if (c) { c += floats(T * S); dc += floats(T * S); }
  }
  memory.copy(dv, dvs, floats(A));
  if (u) scaleRows(dus, 1, A, v, du);
}
