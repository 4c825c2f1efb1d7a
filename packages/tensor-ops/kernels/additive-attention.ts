// Additive attention: scores[t,s] = v · h, h = tanh(q_t + k_s + c[t,s] u), c the coverage and u its weight (Tu et al. 2016),
// both or neither. Letters as in attention.ts, one head; `P` is A rounded up to whole vectors. The [T,S,A] of h is never stored.
//
// Two forms of h. Direct: the vector tanh. Factored: h = 1 - 2r, r = 1 / (1 + e^2q e^2k), so that exponentials are taken of
// T + S rows instead of T*S; only where both sides are small enough for their exponentials (REACH), there is more than one
// query, and no coverage. Keys go two at a time, the last one of an odd number beside itself.
import { maskedWidth, softmaxScores, weightedWidth } from "./attention";
import { expV, madd, splat, sumLanes, tanhV } from "./math";

const REACH: f32 = 40; // e^80 and e^-80 are normal numbers; an infinite or zero product gives the right r

@inline function floats(n: i32): usize { return <usize>n << 2; }
@inline function padded(n: i32): i32 { return (n + 3) & ~3; }

/** Scratch bytes of both functions: padded copies of the operands and sums of their gradients. */
export function additiveScratchBytes(T: i32, S: i32, A: i32): i32 {
  return <i32>floats((2 * T + 2 * S + 4) * padded(A));
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

/** Whether all of n floats (a multiple of four) lie in ±REACH; no NaN does. */
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

/** Adds x to the vector at p. */
@inline function addTo(p: usize, x: v128): void { v128.store(p, v128.add<f32>(v128.load(p), x)); }

/** 1 / (1 + x y). */
@inline function factoredR(x: v128, y: v128): v128 {
  return v128.div<f32>(splat(1), madd(x, y, splat(1)));
}

/** weights = softmax over the keys. Without coverage c and u are null. */
export function additiveWeights(q: usize, k: usize, v: usize, c: usize, u: usize, mask: usize, maskBatch: i32, maskRow: i32, weights: usize, B: i32, T: i32, S: i32, A: i32, scratch: usize): void {
  const P = padded(A), row = floats(P);
  const qs = scratch + 2 * row, ks = qs + <usize>T * row;
  v = padRows(v, 1, A, scratch);
  if (u) u = padRows(u, 1, A, scratch + row);
  let total = splat(0);
  for (let i: usize = 0; i < row; i += 16) total = v128.add<f32>(total, v128.load(v + i));
  const sumOfV = sumLanes(total);
  for (let b = 0; b < B; b++) {
    const width = maskedWidth(mask, maskRow, T, S);
    let qp = padRows(q, T, A, qs), kp = padRows(k, width, A, ks);
    const factored = !c && T > 1 && withinReach(qp, T * P) && withinReach(kp, width * P);
    if (factored) {
      doubleExp(qp, T * P, qs); doubleExp(kp, width * P, ks);
      qp = qs; kp = ks;
    }
    for (let t = 0; t < T; t++, qp += row) {
      for (let s = 0; s < width; s += 2) {
        const two = s + 1 < width, at = floats(t * S + s);
        const k0 = kp + <usize>s * row, k1 = two ? k0 + row : k0;
        let a = splat(0), b = a;
        if (factored) {
          for (let i: usize = 0; i < row; i += 16) {
            const x = v128.load(qp + i), y = v128.load(v + i);
            a = madd(factoredR(x, v128.load(k0 + i)), y, a);
            b = madd(factoredR(x, v128.load(k1 + i)), y, b);
          }
        } else if (c) {
          const c0 = v128.load32_splat(c + at), c1 = two ? v128.load32_splat(c + at, 4) : c0;
          for (let i: usize = 0; i < row; i += 16) {
            const x = v128.load(qp + i), y = v128.load(v + i), z = v128.load(u + i);
            a = madd(tanhV(madd(c0, z, v128.add<f32>(x, v128.load(k0 + i)))), y, a);
            b = madd(tanhV(madd(c1, z, v128.add<f32>(x, v128.load(k1 + i)))), y, b);
          }
        } else {
          for (let i: usize = 0; i < row; i += 16) {
            const x = v128.load(qp + i), y = v128.load(v + i);
            a = madd(tanhV(v128.add<f32>(x, v128.load(k0 + i))), y, a);
            b = madd(tanhV(v128.add<f32>(x, v128.load(k1 + i))), y, b);
          }
        }
        store<f32>(weights + at, factored ? sumOfV - 2 * sumLanes(a) : sumLanes(a));
        if (two) store<f32>(weights + at, factored ? sumOfV - 2 * sumLanes(b) : sumLanes(b), 4);
      }
    }
    softmaxScores(weights, T, S, width, 1, mask, maskRow);
    q += floats(T * A); k += floats(S * A); weights += floats(T * S);
    if (c) c += floats(T * S);
    if (mask) mask += maskBatch;
  }
}

/**
 * Gradients of q, k, v, and of c and u where they are given, from dScores; h is computed again. With g = dScores:
 * dq_t = v sum_s g (1-h²), dk_s = v sum_t g (1-h²), dv = sum g h, dc[t,s] = g v (1-h²) · u, du = sum g v (1-h²) c[t,s].
 */
export function additiveGradient(q: usize, k: usize, v: usize, c: usize, u: usize, dScores: usize, dq: usize, dk: usize, dv: usize, dc: usize, du: usize, B: i32, T: i32, S: i32, A: i32, scratch: usize): void {
  const P = padded(A), row = floats(P);
  const dvs = scratch + 2 * row, dus = dvs + row, qs = dus + row, ks = qs + <usize>T * row;
  const dqs = ks + <usize>S * row, dks = dqs + <usize>T * row;
  v = padRows(v, 1, A, scratch);
  if (u) u = padRows(u, 1, A, scratch + row);
  memory.fill(dvs, 0, 2 * row);
  for (let b = 0; b < B; b++) {
    const width = weightedWidth(dScores, T, S);
    let qp = padRows(q, T, A, qs), kp = padRows(k, width, A, ks);
    const factored = !c && T > 1 && withinReach(qp, T * P) && withinReach(kp, width * P);
    if (factored) {
      doubleExp(qp, T * P, qs); doubleExp(kp, width * P, ks);
      qp = qs; kp = ks;
    }
    memory.fill(dqs, 0, <usize>(T + S) * row);
    for (let t = 0; t < T; t++, qp += row) {
      const dqt = dqs + <usize>t * row;
      for (let s = 0; s < width; s += 2) {
        const two = s + 1 < width, at = floats(t * S + s);
        const k0 = kp + <usize>s * row, k1 = two ? k0 + row : k0;
        const d0 = dks + <usize>s * row, d1 = two ? d0 + row : d0;
        const g0 = v128.load32_splat(dScores + at), g1 = two ? v128.load32_splat(dScores + at, 4) : splat(0);
        if (factored) {
          const q0 = v128.mul<f32>(g0, splat(4)), q1 = v128.mul<f32>(g1, splat(4)), both = v128.add<f32>(g0, g1);
          for (let i: usize = 0; i < row; i += 16) {
            const x = v128.load(qp + i);
            const r0 = factoredR(x, v128.load(k0 + i)), r1 = factoredR(x, v128.load(k1 + i));
            const p0 = v128.mul<f32>(q0, r0), p1 = v128.mul<f32>(q1, r1); // 4gr
            const e0 = v128.sub<f32>(p0, v128.mul<f32>(p0, r0)), e1 = v128.sub<f32>(p1, v128.mul<f32>(p1, r1)); // 4gr (1-r) = g (1-h²)
            addTo(dvs + i, madd(v128.add<f32>(p0, p1), splat(-0.5), both)); // g - 2gr = gh
            addTo(dqt + i, v128.add<f32>(e0, e1));
            addTo(d0 + i, e0);
            addTo(d1 + i, e1);
          }
        } else {
          const c0 = c ? v128.load32_splat(c + at) : splat(0), c1 = c && two ? v128.load32_splat(c + at, 4) : splat(0);
          let a = splat(0), b = a;
          for (let i: usize = 0; i < row; i += 16) {
            const x = v128.load(qp + i), z = u ? v128.load(u + i) : splat(0);
            const h0 = tanhV(madd(c0, z, v128.add<f32>(x, v128.load(k0 + i))));
            const h1 = tanhV(madd(c1, z, v128.add<f32>(x, v128.load(k1 + i))));
            const f0 = v128.mul<f32>(g0, h0), f1 = v128.mul<f32>(g1, h1);
            const e0 = v128.sub<f32>(g0, v128.mul<f32>(f0, h0)), e1 = v128.sub<f32>(g1, v128.mul<f32>(f1, h1));
            addTo(dvs + i, v128.add<f32>(f0, f1));
            addTo(dqt + i, v128.add<f32>(e0, e1));
            addTo(d0 + i, e0);
            addTo(d1 + i, e1);
            if (c) {
              const y = v128.load(v + i), w0 = v128.mul<f32>(e0, y), w1 = v128.mul<f32>(e1, y);
              a = madd(w0, z, a);
              b = madd(w1, z, b);
              addTo(dus + i, madd(w0, c0, v128.mul<f32>(w1, c1)));
            }
          }
          if (c) { store<f32>(dc + at, sumLanes(a)); if (two) store<f32>(dc + at, sumLanes(b), 4); }
        }
      }
      if (c) memory.fill(dc + floats(t * S + width), 0, floats(S - width));
    }
    scaleRows(dqs, T, A, v, dq);
    scaleRows(dks, S, A, v, dk);
    q += floats(T * A); k += floats(S * A); dq += floats(T * A); dk += floats(S * A);
    dScores += floats(T * S);
    if (c) { c += floats(T * S); dc += floats(T * S); }
  }
  memory.copy(dv, dvs, floats(A));
  if (u) memory.copy(du, dus, floats(A));
}
