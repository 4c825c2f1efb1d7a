// Attention, batch and heads in one call. Letters: B batch, K heads, T queries, S keys, A key width of a head, M value width
// of a head. Queries [B,T,K*A], keys [B,S,K*A] and values [B,S,K*M] keep the layout of a projection: a head is a slice of
// columns, read in place through its stride. Weights and whatever has their shape: [B,K,T,S]. A mask is bytes, 0 = never
// attend, with the distance of its batch rows and of its query rows, 0 where one serves all; a null pointer masks nothing.
// Keys behind the last one attended cost nothing.
import { gemm, gemmScratchBytes } from "./gemm";
import { madd, splat, sumLanes } from "./math";
import { rowScale, softmaxRow } from "./softmax";

@inline function floats(n: i32): usize { return <usize>n << 2; }

/** Scratch bytes of every function here. */
export function attentionScratchBytes(T: i32, S: i32, A: i32, M: i32): i32 {
  const wide = max(A, M);
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
      gemm(0, 1, T, width, A, q + floats(h * A), ld, k + floats(h * A), ld, weights, S, false, scratch);
      softmaxScores(weights, T, S, width, scale, mask, maskRow);
      weights += floats(T * S);
    }
    q += floats(T * ld); k += floats(S * ld);
    if (mask) mask += maskBatch;
  }
}

/** out[B,T,K*M] (+)= p x for x [B,S,K*M]: the context, and the gradient of the queries. A row of out begins ldOut floats after the last. */
export function attentionMix(p: usize, x: usize, out: usize, ldOut: i32, accumulate: bool, B: i32, K: i32, T: i32, S: i32, M: i32, scratch: usize): void {
  const ld = K * M;
  for (let b = 0; b < B; b++) {
    for (let h = 0; h < K; h++) {
      gemm(0, 0, T, M, weightedWidth(p, T, S), p, S, x + floats(h * M), ld, out + floats(h * M), ldOut, accumulate, scratch);
      p += floats(T * S);
    }
    x += floats(S * ld); out += floats(T * ldOut);
  }
}

/** out[B,S,K*M] = pᵀ x for x [B,T,K*M], whose rows begin ldX floats apart: the gradients of keys and values. */
export function attentionMixTransposed(p: usize, x: usize, ldX: i32, out: usize, B: i32, K: i32, T: i32, S: i32, M: i32, scratch: usize): void {
  const ld = K * M;
  for (let b = 0; b < B; b++) {
    for (let h = 0; h < K; h++) {
      const width = weightedWidth(p, T, S), to = out + floats(h * M);
      gemm(1, 0, width, M, T, p, S, x + floats(h * M), ldX, to, ld, false, scratch);
      for (let s = width; s < S; s++) memory.fill(to + floats(s * ld), 0, floats(M));
      p += floats(T * S);
    }
    x += floats(T * ldX); out += floats(S * ld);
  }
}

/**
 * out[B,K,T,S] = x yᵀ for x [B,T,K*M], whose rows begin ldX floats apart, and y [B,S,K*M], where p is not zero to the end of its
 * rows: the gradient of the weights p.
 */
export function attentionWeightGradient(p: usize, x: usize, ldX: i32, y: usize, out: usize, B: i32, K: i32, T: i32, S: i32, M: i32, scratch: usize): void {
  const ld = K * M;
  for (let b = 0; b < B; b++) {
    for (let h = 0; h < K; h++) {
      const width = weightedWidth(p, T, S);
      gemm(0, 1, T, width, M, x + floats(h * M), ldX, y + floats(h * M), ld, out, S, false, scratch);
      for (let t = 0; t < T; t++) {
        memory.fill(out + floats(width), 0, floats(S - width));
        out += floats(S);
      }
      p += floats(T * S);
    }
    x += floats(T * ldX); y += floats(S * ld);
  }
}

/** d = scale p (g - p · g) for g = d + e, row by row: from the gradient of the weights p[rows,S] to that of the scores. */
export function attentionScoreGradient(p: usize, d: usize, e: usize, rows: i32, S: i32, scale: f32): void {
  const body = floats(S & ~3), end = floats(S), factor = splat(scale);
  for (let r = 0; r < rows; r++) {
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
    const total = splat(sum);
    for (at = 0; at < body; at += 16) {
      const g = v128.sub<f32>(v128.load(d + at), total);
      v128.store(d + at, v128.mul<f32>(v128.mul<f32>(v128.load(p + at), factor), g));
    }
    for (; at < end; at += 4) store<f32>(d + at, load<f32>(p + at) * scale * (load<f32>(d + at) - sum));
    p += end; d += end; e += end;
  }
}
