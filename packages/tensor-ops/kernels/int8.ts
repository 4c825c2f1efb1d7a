// y = x Wᵀ + b with W in 8-bit integers and a scale for each row of W: a quarter of the memory that one row of x has to pull
// through the caches. x is rounded, row by row, to as many bits as sums of K products leave room for (16 up to K = 516), so
// that nearly all of the error is W's own rounding: half a step of max|row| / 127.
// Packed W: panels of 4 rows [ceil(O/4)][ceil(K/8)][4][8], zero padded.
import { maxLanes, splat } from "./math";

/** Bytes of W[O,K] packed. */
export function int8PackedBytes(O: i32, K: i32): i32 { return ((O + 3) & ~3) * ((K + 7) & ~7); }

/** Bytes of scratch for M rows of K: their 16-bit integers and their scales. */
export function int8ScratchBytes(M: i32, K: i32): i32 { return M * ((K + 7) & ~7) * 2 + M * 4 + 16; }

/** Rows of 8-bit integers q[O,K] -> panels. */
export function int8Pack(q: usize, O: i32, K: i32, packed: usize): void {
  memory.fill(packed, 0, int8PackedBytes(O, K));
  for (let o = 0; o < O; o += 4) {
    for (let k = 0; k < K; k += 8) {
      for (let i = 0; i < min(4, O - o); i++) memory.copy(packed + (i << 3), q + <usize>((o + i) * K + k), min(8, K - k));
      packed += 32;
    }
  }
}

/** K floats -> 16-bit integers at q, zero padded to a multiple of 8; returns what one unit stands for. */
function quantizeRow(x: usize, K: i32, q: usize): f32 {
  const whole = <usize>(K & ~3) << 2, bytes = <usize>K << 2;
  let a = splat(0), o: usize = 0;
  for (; o < whole; o += 16) a = v128.max<f32>(a, v128.abs<f32>(v128.load(x + o)));
  let largest = maxLanes(a);
  for (; o < bytes; o += 4) largest = max(largest, abs<f32>(load<f32>(x + o)));
  const limit = <f32>min(32767, 2147483647 / (127 * K));
  const factor = largest > 0 ? limit / largest : <f32>0, f = splat(factor);
  memory.fill(q, 0, <usize>((K + 7) & ~7) << 1);
  for (o = 0; o < whole; o += 16) {
    const v = i32x4.trunc_sat_f32x4_s(v128.nearest<f32>(v128.mul<f32>(v128.load(x + o), f)));
    store<u64>(q + (o >> 1), i64x2.extract_lane(v128.narrow<i32>(v, v), 0));
  }
  for (; o < bytes; o += 4) store<i16>(q + (o >> 1), <i16>nearest<f32>(load<f32>(x + o) * factor));
  return largest * (1 / limit);
}

/** Sums of the lanes of a, b, c, d. */
@inline function sumsOf(a: v128, b: v128, c: v128, d: v128): v128 {
  const ab = v128.add<i32>(v128.shuffle<i32>(a, b, 0, 4, 1, 5), v128.shuffle<i32>(a, b, 2, 6, 3, 7));
  const cd = v128.add<i32>(v128.shuffle<i32>(c, d, 0, 4, 1, 5), v128.shuffle<i32>(c, d, 2, 6, 3, 7));
  return v128.add<i32>(v128.shuffle<i64>(ab, cd, 0, 2), v128.shuffle<i64>(ab, cd, 1, 3));
}

/** The first `count` lanes of sums * unit * scale + bias -> y. */
@inline function finish(sums: v128, unit: f32, scales: usize, bias: usize, y: usize, count: i32): void {
  let v = v128.mul<f32>(v128.mul<f32>(v128.convert<i32>(sums), splat(unit)), v128.load(scales));
  if (count == 4) {
    if (bias) v = v128.add<f32>(v, v128.load(bias));
    v128.store(y, v);
  } else {
    for (let i = 0; i < count; i++) {
      const s = i == 0 ? f32x4.extract_lane(v, 0) : i == 1 ? f32x4.extract_lane(v, 1) : f32x4.extract_lane(v, 2);
      store<f32>(y + (<usize>i << 2), s + (bias ? load<f32>(bias + (<usize>i << 2)) : <f32>0));
    }
  }
}

/** y[M,O] = x[M,K] Wᵀ + bias[O] (0 = none); scales[ceil4(O)] go with the rows of W. */
export function int8Linear(x: usize, M: i32, K: i32, packed: usize, scales: usize, bias: usize, y: usize, O: i32, scratch: usize): void {
  const kp = (K + 7) & ~7, row = <usize>kp << 1, out = <usize>O << 2;
  const units = scratch + <usize>M * row;
  for (let m = 0; m < M; m++) store<f32>(units + (<usize>m << 2), quantizeRow(x + <usize>m * (<usize>K << 2), K, scratch + <usize>m * row));
  for (let o = 0; o < O; o += 4) {
    const count = min(4, O - o), at = <usize>o << 2, s = scales + at, b = bias ? bias + at : 0;
    let m = 0;
    for (; m + 2 <= M; m += 2) {
      let a0 = i32x4.splat(0), a1 = a0, a2 = a0, a3 = a0, b0 = a0, b1 = a0, b2 = a0, b3 = a0;
      let w = packed, p = scratch + <usize>m * row;
      for (const end = p + row; p < end; p += 16, w += 32) {
        const u = v128.load(p), v = v128.load(p + row);
        const w0 = v128.load_ext<i8>(w), w1 = v128.load_ext<i8>(w, 8), w2 = v128.load_ext<i8>(w, 16), w3 = v128.load_ext<i8>(w, 24);
        a0 = v128.add<i32>(a0, i32x4.dot_i16x8_s(u, w0)); b0 = v128.add<i32>(b0, i32x4.dot_i16x8_s(v, w0));
        a1 = v128.add<i32>(a1, i32x4.dot_i16x8_s(u, w1)); b1 = v128.add<i32>(b1, i32x4.dot_i16x8_s(v, w1));
        a2 = v128.add<i32>(a2, i32x4.dot_i16x8_s(u, w2)); b2 = v128.add<i32>(b2, i32x4.dot_i16x8_s(v, w2));
        a3 = v128.add<i32>(a3, i32x4.dot_i16x8_s(u, w3)); b3 = v128.add<i32>(b3, i32x4.dot_i16x8_s(v, w3));
      }
      const q = y + <usize>m * out + at, unit = units + (<usize>m << 2);
      finish(sumsOf(a0, a1, a2, a3), load<f32>(unit), s, b, q, count);
      finish(sumsOf(b0, b1, b2, b3), load<f32>(unit, 4), s, b, q + out, count);
    }
    if (m < M) {
      let a0 = i32x4.splat(0), a1 = a0, a2 = a0, a3 = a0;
      let w = packed, p = scratch + <usize>m * row;
      for (const end = p + row; p < end; p += 16, w += 32) {
        const u = v128.load(p);
        a0 = v128.add<i32>(a0, i32x4.dot_i16x8_s(u, v128.load_ext<i8>(w)));
        a1 = v128.add<i32>(a1, i32x4.dot_i16x8_s(u, v128.load_ext<i8>(w, 8)));
        a2 = v128.add<i32>(a2, i32x4.dot_i16x8_s(u, v128.load_ext<i8>(w, 16)));
        a3 = v128.add<i32>(a3, i32x4.dot_i16x8_s(u, v128.load_ext<i8>(w, 24)));
      }
      finish(sumsOf(a0, a1, a2, a3), load<f32>(units + (<usize>m << 2)), s, b, y + <usize>m * out + at, count);
    }
    packed += <usize>kp << 2;
  }
}
