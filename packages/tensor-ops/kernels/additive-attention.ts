// Additive attention: scores[t,s] = v · tanh(q_t + k_s + c[t,s] u), c the coverage and u its weight (Tu et al. 2016), both or
// neither. Letters as in attention.ts, one head; `P` is A rounded up to whole vectors. The [T,S,A] of tanh is never stored.
import { softmaxRows } from "./attention";
import { madd, splat, sumLanes, tanhV } from "./math";

@inline function floats(n: i32): usize { return <usize>n << 2; }
@inline function padded(n: i32): i32 { return (n + 3) & ~3; }

/** Scratch bytes of both functions: padded copies of the operands and sums of their gradients. */
export function additiveScratchBytes(T: i32, S: i32, A: i32): i32 {
  return <i32>floats((2 * T + 2 * S + 4) * padded(A));
}

/** Rows of x[rows,A], each filled up with zeros to whole vectors. */
function padRows(x: usize, rows: i32, A: i32, out: usize): void {
  const P = padded(A);
  for (let r = 0; r < rows; r++) {
    memory.copy(out, x, floats(A));
    memory.fill(out + floats(A), 0, floats(P - A));
    x += floats(A); out += floats(P);
  }
}

/** out[rows,A] = x[rows,P] * v, without the filling. */
function scaleRows(x: usize, rows: i32, A: i32, v: usize, out: usize): void {
  const P = padded(A);
  for (let r = 0; r < rows; r++) {
    for (let a = 0; a < A; a++) store<f32>(out + floats(a), load<f32>(x + floats(a)) * load<f32>(v + floats(a)));
    x += floats(P); out += floats(A);
  }
}

/** weights = softmax over the keys. Without coverage c and u are null. */
export function additiveWeights(q: usize, k: usize, v: usize, c: usize, u: usize, mask: usize, maskBatch: i32, maskRow: i32, weights: usize, B: i32, T: i32, S: i32, A: i32, scratch: usize): void {
  const P = padded(A), row = floats(P);
  const vp = scratch, up = vp + row, qp = up + row, kp = qp + <usize>T * row;
  padRows(v, 1, A, vp);
  if (u) padRows(u, 1, A, up);
  for (let b = 0; b < B; b++) {
    padRows(q, T, A, qp);
    padRows(k, S, A, kp);
    for (let t = 0; t < T; t++) {
      const qt = qp + <usize>t * row;
      for (let s = 0; s < S; s++) {
        const ks = kp + <usize>s * row, at = floats(t * S + s);
        let sum = splat(0);
        if (c) {
          const cover = v128.load_splat<f32>(c + at);
          for (let i: usize = 0; i < row; i += 16) {
            const x = madd(cover, v128.load(up + i), v128.add<f32>(v128.load(qt + i), v128.load(ks + i)));
            sum = madd(tanhV(x), v128.load(vp + i), sum);
          }
        } else {
          for (let i: usize = 0; i < row; i += 16) {
            sum = madd(tanhV(v128.add<f32>(v128.load(qt + i), v128.load(ks + i))), v128.load(vp + i), sum);
          }
        }
        store<f32>(weights + at, sumLanes(sum));
      }
    }
    softmaxRows(weights, T, S, S, 1, mask, maskRow);
    q += floats(T * A); k += floats(S * A); weights += floats(T * S);
    if (c) c += floats(T * S);
    if (mask) mask += maskBatch;
  }
}

/** Gradients of q, k, v, and of c and u where they are given, from dScores; tanh is computed again. */
export function additiveGradient(q: usize, k: usize, v: usize, c: usize, u: usize, dScores: usize, dq: usize, dk: usize, dv: usize, dc: usize, du: usize, B: i32, T: i32, S: i32, A: i32, scratch: usize): void {
  const P = padded(A), row = floats(P);
  const vp = scratch, up = vp + row, dvp = up + row, dup = dvp + row, qp = dup + row, kp = qp + <usize>T * row;
  const dqp = kp + <usize>S * row, dkp = dqp + <usize>T * row;
  padRows(v, 1, A, vp);
  if (u) padRows(u, 1, A, up); else memory.fill(up, 0, row);
  memory.fill(dvp, 0, 2 * row);
  for (let b = 0; b < B; b++) {
    padRows(q, T, A, qp);
    padRows(k, S, A, kp);
    memory.fill(dqp, 0, <usize>(T + S) * row);
    for (let t = 0; t < T; t++) {
      const qt = qp + <usize>t * row, dqt = dqp + <usize>t * row;
      for (let s = 0; s < S; s++) {
        const ks = kp + <usize>s * row, dks = dkp + <usize>s * row, at = floats(t * S + s);
        const g = load<f32>(dScores + at);
        if (g == 0) { if (c) store<f32>(dc + at, 0); continue; }
        const ds = splat(g), cover = c ? v128.load_splat<f32>(c + at) : splat(0);
        let sum = splat(0);
        for (let i: usize = 0; i < row; i += 16) {
          const h = tanhV(madd(cover, v128.load(up + i), v128.add<f32>(v128.load(qt + i), v128.load(ks + i))));
          const d = v128.mul<f32>(ds, v128.sub<f32>(splat(1), v128.mul<f32>(h, h)));
          v128.store(dqt + i, v128.add<f32>(v128.load(dqt + i), d));
          v128.store(dks + i, v128.add<f32>(v128.load(dks + i), d));
          v128.store(dvp + i, madd(ds, h, v128.load(dvp + i)));
          if (c) {
            const dx = v128.mul<f32>(d, v128.load(vp + i));
            sum = madd(dx, v128.load(up + i), sum);
            v128.store(dup + i, madd(cover, dx, v128.load(dup + i)));
          }
        }
        if (c) store<f32>(dc + at, sumLanes(sum));
      }
    }
    scaleRows(dqp, T, A, vp, dq);
    scaleRows(dkp, S, A, vp, dk);
    q += floats(T * A); k += floats(S * A); dq += floats(T * A); dk += floats(S * A);
    dScores += floats(T * S);
    if (c) { c += floats(T * S); dc += floats(T * S); }
  }
  memory.copy(dv, dvp, floats(A));
  if (u) memory.copy(du, dup, floats(A));
}
