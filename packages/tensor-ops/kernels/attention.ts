// Attention, batch and heads in one call. Letters: B batch, K heads, T queries, S keys, A key width of a head, N value width
// of a head. Queries [B,T,K*A], keys [B,S,K*A] and values [B,S,K*N] keep the layout of a projection: a head is a slice of
// columns, read in place through its stride. Weights and whatever has their shape: [B,K,T,S]. A mask is bytes, 0 = never
// attend, with the distance of its batch rows and of its query rows, 0 where one serves all; a null pointer masks nothing.
// Keys behind the last one attended cost nothing.
import { gemm, gemmScratchBytes } from "./gemm";
import { madd, splat, sumLanes } from "./math";
import { rowScale, softmaxRow } from "./softmax";

@inline function floats(n: i32): usize { return <usize>n << 2; }

/** Scratch bytes of every function here. */
export function attentionScratchBytes(T: i32, S: i32, A: i32, N: i32): i32 {
  const wide = max(A, N);
  return max(gemmScratchBytes(T, S, wide), max(gemmScratchBytes(T, wide, S), gemmScratchBytes(S, wide, T)));
}

/** One more than the last of S keys that any of T queries may attend. */
export function maskedWidth(mask: usize, maskRow: i32, T: i32, S: i32): i32 {
  if (!mask) return S;
  const rows = maskRow ? T : 1;
  let width = 0;
  for (let t = 0; t < rows; t++) {
    let s = S;
    while (s > width && !load<u8>(mask + s - 1)) s--;
    width = max(width, s);
    mask += maskRow;
  }
  return width;
}

/** The same, read off the weights p[T,S]: masked ones are exactly zero. */
export function weightedWidth(p: usize, T: i32, S: i32): i32 {
  let width = 0;
  for (let t = 0; t < T; t++) {
    let s = S;
    while (s > width && load<f32>(p + floats(s - 1)) == 0) s--;
    width = max(width, s);
    p += floats(S);
  }
  return width;
}

/** out[s] = q · k_s for s < S; rows of k lie ldk bytes apart. */
function rowDots(q: usize, k: usize, ldk: usize, A: i32, S: i32, out: usize): void {
  let s = 0;
  for (; s + 4 <= S; s += 4) {
    const k1 = k + ldk, k2 = k1 + ldk, k3 = k2 + ldk;
    let a0 = splat(0), a1 = splat(0), a2 = splat(0), a3 = splat(0), at: usize = 0, i = 0;
    for (; i + 4 <= A; i += 4) {
      const x = v128.load(q + at);
      a0 = madd(x, v128.load(k + at), a0);
      a1 = madd(x, v128.load(k1 + at), a1);
      a2 = madd(x, v128.load(k2 + at), a2);
      a3 = madd(x, v128.load(k3 + at), a3);
      at += 16;
    }
    let d0 = sumLanes(a0), d1 = sumLanes(a1), d2 = sumLanes(a2), d3 = sumLanes(a3);
    for (; i < A; i++) {
      const x = load<f32>(q + at);
      d0 += x * load<f32>(k + at); d1 += x * load<f32>(k1 + at); d2 += x * load<f32>(k2 + at); d3 += x * load<f32>(k3 + at);
      at += 4;
    }
    store<f32>(out, d0); store<f32>(out, d1, 4); store<f32>(out, d2, 8); store<f32>(out, d3, 12);
    k = k3 + ldk; out += 16;
  }
  for (; s < S; s++) {
    let sum = splat(0), at: usize = 0, i = 0;
    for (; i + 4 <= A; i += 4) { sum = madd(v128.load(q + at), v128.load(k + at), sum); at += 16; }
    let dot = sumLanes(sum);
    for (; i < A; i++) { dot += load<f32>(q + at) * load<f32>(k + at); at += 4; }
    store<f32>(out, dot);
    k += ldk; out += 4;
  }
}

/** out[N] = sum over s < S of p[s] x_s; rows of x lie ldx bytes apart. */
function weightedSum(p: usize, x: usize, ldx: usize, N: i32, S: i32, out: usize): void {
  let n = 0;
  for (; n + 16 <= N; n += 16) {
    let a = splat(0), b = splat(0), c = splat(0), d = splat(0), row = x;
    for (let s = 0; s < S; s++) {
      const w = v128.load_splat<f32>(p + floats(s));
      a = madd(w, v128.load(row), a);
      b = madd(w, v128.load(row, 16), b);
      c = madd(w, v128.load(row, 32), c);
      d = madd(w, v128.load(row, 48), d);
      row += ldx;
    }
    v128.store(out, a); v128.store(out, b, 16); v128.store(out, c, 32); v128.store(out, d, 48);
    x += 64; out += 64;
  }
  for (; n < N; n++) {
    let sum: f32 = 0, row = x;
    for (let s = 0; s < S; s++) { sum += load<f32>(p + floats(s)) * load<f32>(row); row += ldx; }
    store<f32>(out, sum);
    x += 4; out += 4;
  }
}

/** out[N] = w x. */
function scaledRow(w: f32, x: usize, N: i32, out: usize): void {
  const v = splat(w);
  let n = 0;
  for (; n + 4 <= N; n += 4) { v128.store(out, v128.mul<f32>(v, v128.load(x))); x += 16; out += 16; }
  for (; n < N; n++) { store<f32>(out, w * load<f32>(x)); x += 4; out += 4; }
}

/** scores[T,S] (rows ldp apart) = q kᵀ. One query needs no packing. */
function products(T: i32, S: i32, A: i32, q: usize, ldq: i32, k: usize, ldk: i32, scores: usize, ldp: i32, scratch: usize): void {
  if (T == 1) rowDots(q, k, floats(ldk), A, S, scores);
  else gemm(0, 1, T, S, A, q, ldq, k, ldk, scores, ldp, false, scratch);
}

/** Scores p[T,S] -> weights = softmax(scale p) in place; only the first `width` columns hold scores, the others become zero. */
export function softmaxScores(p: usize, T: i32, S: i32, width: i32, scale: f32, mask: usize, maskRow: i32): void {
  for (let t = 0; t < T; t++) {
    if (scale != 1) rowScale(p, width, scale, 0);
    softmaxRow(p, mask, p, width);
    memory.fill(p + floats(width), 0, floats(S - width));
    p += floats(S);
    if (mask) mask += maskRow;
  }
}

/** weights = softmax(scale q kᵀ). */
export function dotWeights(q: usize, k: usize, mask: usize, maskBatch: i32, maskRow: i32, weights: usize, B: i32, K: i32, T: i32, S: i32, A: i32, scale: f32, scratch: usize): void {
  const ld = K * A;
  for (let b = 0; b < B; b++) {
    const width = maskedWidth(mask, maskRow, T, S);
    for (let h = 0; h < K; h++) {
      products(T, width, A, q + floats(h * A), ld, k + floats(h * A), ld, weights, S, scratch);
      softmaxScores(weights, T, S, width, scale, mask, maskRow);
      weights += floats(T * S);
    }
    q += floats(T * ld); k += floats(S * ld);
    if (mask) mask += maskBatch;
  }
}

/** out[B,T,K*N] = p x for x [B,S,K*N]: the context, and the gradient of the queries. */
export function attentionMix(p: usize, x: usize, out: usize, B: i32, K: i32, T: i32, S: i32, N: i32, scratch: usize): void {
  const ld = K * N;
  for (let b = 0; b < B; b++) {
    for (let h = 0; h < K; h++) {
      const width = weightedWidth(p, T, S), from = x + floats(h * N), to = out + floats(h * N);
      if (T == 1) weightedSum(p, from, floats(ld), N, width, to);
      else gemm(0, 0, T, N, width, p, S, from, ld, to, ld, false, scratch);
      p += floats(T * S);
    }
    x += floats(S * ld); out += floats(T * ld);
  }
}

/** out[B,S,K*N] = pᵀ x for x [B,T,K*N]: the gradients of keys and values. */
export function attentionMixTransposed(p: usize, x: usize, out: usize, B: i32, K: i32, T: i32, S: i32, N: i32, scratch: usize): void {
  const ld = K * N;
  for (let b = 0; b < B; b++) {
    for (let h = 0; h < K; h++) {
      const width = weightedWidth(p, T, S), from = x + floats(h * N);
      let to = out + floats(h * N);
      if (T != 1) gemm(1, 0, width, N, T, p, S, from, ld, to, ld, false, scratch);
      else for (let s = 0; s < width; s++) scaledRow(load<f32>(p + floats(s)), from, N, to + floats(s * ld));
      to += floats(width * ld);
      for (let s = width; s < S; s++) { memory.fill(to, 0, floats(N)); to += floats(ld); }
      p += floats(T * S);
    }
    x += floats(T * ld); out += floats(S * ld);
  }
}

/** d[n] = scale p (g - p · g) for g = d + e: from the gradient of a row of weights to that of its scores. */
function softmaxGradientRow(p: usize, d: usize, e: usize, n: i32, scale: f32): void {
  const body = floats(n & ~3), end = floats(n);
  let sums = splat(0), at: usize = 0;
  for (; at < body; at += 16) {
    const g = v128.add<f32>(v128.load(d + at), v128.load(e + at));
    v128.store(d + at, g);
    sums = madd(g, v128.load(p + at), sums);
  }
  let sum = sumLanes(sums);
  for (; at < end; at += 4) {
    const g = load<f32>(d + at) + load<f32>(e + at);
    store<f32>(d + at, g);
    sum += g * load<f32>(p + at);
  }
  const total = splat(sum), factor = splat(scale);
  for (at = 0; at < body; at += 16) {
    const g = v128.sub<f32>(v128.load(d + at), total);
    v128.store(d + at, v128.mul<f32>(v128.mul<f32>(v128.load(p + at), factor), g));
  }
  for (; at < end; at += 4) store<f32>(d + at, load<f32>(p + at) * scale * (load<f32>(d + at) - sum));
}

/** dScores from dContext [B,T,K*N] and dWeights, both of which flow through the weights. */
export function attentionScoreGradient(weights: usize, values: usize, dContext: usize, dWeights: usize, dScores: usize, B: i32, K: i32, T: i32, S: i32, N: i32, scale: f32, scratch: usize): void {
  const ld = K * N;
  for (let b = 0; b < B; b++) {
    for (let h = 0; h < K; h++) {
      const width = weightedWidth(weights, T, S);
      products(T, width, N, dContext + floats(h * N), ld, values + floats(h * N), ld, dScores, S, scratch);
      for (let t = 0; t < T; t++) {
        softmaxGradientRow(weights, dScores, dWeights, width, scale);
        memory.fill(dScores + floats(width), 0, floats(S - width));
        weights += floats(S); dWeights += floats(S); dScores += floats(S);
      }
    }
    dContext += floats(T * ld); values += floats(S * ld);
  }
}
