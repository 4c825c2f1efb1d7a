// y = x Wᵀ + b with W in 8-bit integers and a scale for each row of W: a quarter of the memory that one row of x has to pull
// through the caches. x is rounded, row by row, to as many bits as sums of K products leave room for (16 up to K = 516), so
// that nearly all of the error is W's own rounding: half a step of max|row| / 127.
// Packed W: panels of 8 rows [ceil(O/8)][ceil(K/2)][8][2], zero padded: each lane of the sums is a row's. Like a packed weight of
// floats (row-products.ts) it is read in four far parts at once.
import { maxLanes, splat } from "./math";

/** Bytes of W[O,K] packed. */
export function int8PackedBytes(O: i32, K: i32): i32 { return ((O + 7) & ~7) * ((K + 1) & ~1); }

/** Bytes of scratch for M rows of K: the sums of four panels, and the rows' 16-bit integers and scales. */
export function int8ScratchBytes(M: i32, K: i32): i32 { return 128 + M * ((K + 7) & ~7) * 2 + M * 4 + 16; }

/** Rows of 8-bit integers q[O,K] -> panels. */
export function int8Pack(q: usize, O: i32, K: i32, packed: usize): void {
  const panel = <usize>((K + 1) >> 1) << 4;
  memory.fill(packed, 0, int8PackedBytes(O, K));
  for (let o = 0; o < O; o++) {
    const to = packed + <usize>(o >> 3) * panel + (<usize>(o & 7) << 1);
    for (let k = 0; k < K; k++) store<u8>(to + (<usize>(k >> 1) << 4) + <usize>(k & 1), load<u8>(q + k));
    q += K;
  }
}

/** K floats -> 16-bit integers at q, zero padded to a multiple of 8; returns what one unit stands for. */
function quantizeRow(x: usize, K: i32, q: usize): f32 {
  const whole = <usize>(K & ~3) << 2, bytes = <usize>K << 2;
  let a = splat(0), o: usize = 0;
  for (; o < whole; o += 16) a = v128.max<f32>(a, v128.abs<f32>(v128.load(x + o)));
  let largest = maxLanes(a);
  for (; o < bytes; o += 4) largest = max(largest, abs<f32>(load<f32>(x + o)));
  const limit = <f32>min(32767, 2147483647 / (127 * max(1, K)));
  const factor = largest > 0 ? limit / largest : <f32>0, f = splat(factor);
  memory.fill(q, 0, <usize>((K + 7) & ~7) << 1);
  for (o = 0; o < whole; o += 16) {
    const v = i32x4.trunc_sat_f32x4_s(v128.nearest<f32>(v128.mul<f32>(v128.load(x + o), f)));
    store<u64>(q + (o >> 1), i64x2.extract_lane(v128.narrow<i32>(v, v), 0));
  }
  for (; o < bytes; o += 4) store<i16>(q + (o >> 1), <i16>nearest<f32>(load<f32>(x + o) * factor));
  return largest * (1 / limit);
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

/** A panel's sums -> y, of which O - o columns are left. */
@inline function finishPanel(sums: usize, unit: f32, scales: usize, bias: usize, y: usize, left: i32): void {
  finish(v128.load(sums), unit, scales, bias, y, min(4, left));
  if (left > 4) finish(v128.load(sums, 16), unit, scales + 16, bias ? bias + 16 : 0, y + 16, min(4, left - 4));
}

/** The sums of x, of 16-bit integers, with four panels `far` bytes apart. */
function fourPanels(x: usize, depth: i32, w0: usize, far: usize, sums: usize): void {
  let s0 = i32x4.splat(0), s1 = s0, s2 = s0, s3 = s0, s4 = s0, s5 = s0, s6 = s0, s7 = s0;
  let w1 = w0 + far, w2 = w1 + far, w3 = w2 + far;
  for (const end = x + (<usize>depth << 2); x < end; x += 4) {
    const u = v128.load_splat<i32>(x);
    s0 = v128.add<i32>(s0, i32x4.dot_i16x8_s(u, v128.load_ext<i8>(w0))); s1 = v128.add<i32>(s1, i32x4.dot_i16x8_s(u, v128.load_ext<i8>(w0, 8)));
    s2 = v128.add<i32>(s2, i32x4.dot_i16x8_s(u, v128.load_ext<i8>(w1))); s3 = v128.add<i32>(s3, i32x4.dot_i16x8_s(u, v128.load_ext<i8>(w1, 8)));
    s4 = v128.add<i32>(s4, i32x4.dot_i16x8_s(u, v128.load_ext<i8>(w2))); s5 = v128.add<i32>(s5, i32x4.dot_i16x8_s(u, v128.load_ext<i8>(w2, 8)));
    s6 = v128.add<i32>(s6, i32x4.dot_i16x8_s(u, v128.load_ext<i8>(w3))); s7 = v128.add<i32>(s7, i32x4.dot_i16x8_s(u, v128.load_ext<i8>(w3, 8)));
    w0 += 16; w1 += 16; w2 += 16; w3 += 16;
  }
  v128.store(sums, s0); v128.store(sums, s1, 16); v128.store(sums, s2, 32); v128.store(sums, s3, 48);
  v128.store(sums, s4, 64); v128.store(sums, s5, 80); v128.store(sums, s6, 96); v128.store(sums, s7, 112);
}

/** The same with one panel. */
function onePanel(x: usize, depth: i32, w: usize, sums: usize): void {
  let s0 = i32x4.splat(0), s1 = s0;
  for (const end = x + (<usize>depth << 2); x < end; x += 4) {
    const u = v128.load_splat<i32>(x);
    s0 = v128.add<i32>(s0, i32x4.dot_i16x8_s(u, v128.load_ext<i8>(w))); s1 = v128.add<i32>(s1, i32x4.dot_i16x8_s(u, v128.load_ext<i8>(w, 8)));
    w += 16;
  }
  v128.store(sums, s0); v128.store(sums, s1, 16);
}

/** y[M,O] = x[M,K] Wᵀ + bias[O] (0 = none); scales[ceil4(O)] go with the rows of W. */
export function int8Linear(x: usize, M: i32, K: i32, packed: usize, scales: usize, bias: usize, y: usize, O: i32, scratch: usize): void {
  const depth = (K + 1) >> 1, panel = <usize>depth << 4, panels = (O + 7) >> 3, part = panels >> 2, far = <usize>part * panel;
  const sums = scratch, rows = scratch + 128, row = <usize>((K + 7) & ~7) << 1, units = rows + <usize>M * row, out = <usize>O << 2;
  for (let m = 0; m < M; m++) store<f32>(units + (<usize>m << 2), quantizeRow(x + <usize>m * (<usize>K << 2), K, rows + <usize>m * row));
  for (let p = 0; p < part; p++) {
    for (let m = 0; m < M; m++) {
      fourPanels(rows + <usize>m * row, depth, packed + <usize>p * panel, far, sums);
      for (let i = 0; i < 4; i++) {
        const o = (p + i * part) << 3, at = <usize>o << 2;
        finishPanel(sums + (<usize>i << 5), load<f32>(units + (<usize>m << 2)), scales + at, bias ? bias + at : 0, y + <usize>m * out + at, O - o);
      }
    }
  }
  for (let p = 4 * part; p < panels; p++) {
    for (let m = 0; m < M; m++) {
      const o = p << 3, at = <usize>o << 2;
      onePanel(rows + <usize>m * row, depth, packed + <usize>p * panel, sums);
      finishPanel(sums, load<f32>(units + (<usize>m << 2)), scales + at, bias ? bias + at : 0, y + <usize>m * out + at, O - o);
    }
  }
}
