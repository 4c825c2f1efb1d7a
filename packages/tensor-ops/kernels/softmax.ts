// Softmax over rows, its logarithm, and their gradients. The row's maximum is subtracted first, so numbers of any size are
// safe; sums run in 8 single-precision lanes (relative error below n/8 * 6e-8). What is masked, or -Infinity, gets exactly 0.
import { expV, lane0, logOf, maxLanes, splat, sumLanes } from "./math";

/** All ones in the lanes whose byte of the four at `mask` is not zero. */
@inline function lanesOf(mask: usize): v128 {
  const wide = v128.extend_low<u16>(v128.extend_low<u8>(v128.load32_zero(mask)));
  return v128.ne<i32>(wide, i32x4.splat(0));
}

/** e^x, exactly 0 below e^-87.33, NaN for NaN. */
@inline function expOrZero(x: v128): v128 { return v128.andnot(expV(x), v128.le<f32>(x, splat(-87.33))); }

/** Largest of n floats; NaN when one is. */
export function rowMax(x: usize, n: i32): f32 {
  const end8 = x + (<usize>(n & ~7) << 2), end = x + (<usize>n << 2);
  let a = splat(-Infinity), b = a;
  for (; x < end8; x += 32) { a = v128.max<f32>(a, v128.load(x)); b = v128.max<f32>(b, v128.load(x, 16)); }
  let m = maxLanes(v128.max<f32>(a, b));
  for (; x < end; x += 4) m = max(m, load<f32>(x));
  return m;
}

/** Largest of those of n floats whose byte of the mask is not zero; -Infinity when there is none. */
function rowMaxMasked(x: usize, mask: usize, n: i32): f32 {
  const end4 = x + (<usize>(n & ~3) << 2), end = x + (<usize>n << 2), none = splat(-Infinity);
  let a = none;
  for (; x < end4; x += 16, mask += 4) a = v128.max<f32>(a, v128.bitselect(v128.load(x), none, lanesOf(mask)));
  let m = maxLanes(a);
  for (; x < end; x += 4, mask++) if (load<u8>(mask)) m = max(m, load<f32>(x));
  return m;
}

/** y = e^(x-m) for n floats where y is given (0 = not); returns their sum. y may be x. */
export function rowExpSum(x: usize, y: usize, n: i32, m: f32): f32 {
  const end8 = x + (<usize>(n & ~7) << 2), end = x + (<usize>n << 2), mm = splat(m);
  let a = splat(0), b = a;
  if (y) {
    for (; x < end8; x += 32, y += 32) {
      const p = expOrZero(v128.sub<f32>(v128.load(x), mm)), q = expOrZero(v128.sub<f32>(v128.load(x, 16), mm));
      v128.store(y, p); v128.store(y, q, 16);
      a = v128.add<f32>(a, p); b = v128.add<f32>(b, q);
    }
  } else {
    for (; x < end8; x += 32) {
      a = v128.add<f32>(a, expOrZero(v128.sub<f32>(v128.load(x), mm)));
      b = v128.add<f32>(b, expOrZero(v128.sub<f32>(v128.load(x, 16), mm)));
    }
  }
  let s = sumLanes(v128.add<f32>(a, b));
  for (; x < end; x += 4) {
    const p = lane0(expOrZero(splat(load<f32>(x) - m)));
    if (y) { store<f32>(y, p); y += 4; }
    s += p;
  }
  return s;
}

/** y = e^(x-m) where the mask's byte is not zero, else 0; returns the sum. */
function rowExpSumMasked(x: usize, mask: usize, y: usize, n: i32, m: f32): f32 {
  const end4 = x + (<usize>(n & ~3) << 2), end = x + (<usize>n << 2), mm = splat(m);
  let a = splat(0);
  for (; x < end4; x += 16, y += 16, mask += 4) {
    const p = v128.and(expOrZero(v128.sub<f32>(v128.load(x), mm)), lanesOf(mask));
    v128.store(y, p);
    a = v128.add<f32>(a, p);
  }
  let s = sumLanes(a);
  for (; x < end; x += 4, y += 4, mask++) {
    const p = load<u8>(mask) ? lane0(expOrZero(splat(load<f32>(x) - m))) : <f32>0;
    store<f32>(y, p);
    s += p;
  }
  return s;
}

/** x = x*scale - shift for n floats. */
export function rowScale(x: usize, n: i32, scale: f32, shift: f32): void {
  const end4 = x + (<usize>(n & ~3) << 2), end = x + (<usize>n << 2), a = splat(scale), b = splat(shift);
  for (; x < end4; x += 16) v128.store(x, v128.sub<f32>(v128.mul<f32>(v128.load(x), a), b));
  for (; x < end; x += 4) store<f32>(x, load<f32>(x) * scale - shift);
}

/** y = softmax(x) over those of n floats whose byte of the mask is not zero (0 = all); without any, zeros. y may be x. */
export function softmaxRow(x: usize, mask: usize, y: usize, n: i32): void {
  const m = mask ? rowMaxMasked(x, mask, n) : rowMax(x, n);
  if (m == -Infinity) memory.fill(y, 0, <usize>n << 2);
  else rowScale(y, n, 1 / (mask ? rowExpSumMasked(x, mask, y, n, m) : rowExpSum(x, y, n, m)), 0);
}

/** The same over M rows; mask[M,n]. */
export function softmaxRows(x: usize, mask: usize, y: usize, M: i32, n: i32): void {
  const bytes = <usize>n << 2;
  for (let r = 0; r < M; r++) {
    softmaxRow(x, mask, y, n);
    x += bytes; y += bytes;
    if (mask) mask += n;
  }
}

/** dx = y (dy - sum(y dy)) over M rows of n floats; dx may be dy. */
export function softmaxGradientRows(y: usize, dy: usize, dx: usize, M: i32, n: i32): void {
  const whole = <usize>(n & ~3) << 2, bytes = <usize>n << 2;
  for (let r = 0; r < M; r++) {
    let a = splat(0), o: usize = 0;
    for (; o < whole; o += 16) a = v128.add<f32>(a, v128.mul<f32>(v128.load(y + o), v128.load(dy + o)));
    let s = sumLanes(a);
    for (; o < bytes; o += 4) s += load<f32>(y + o) * load<f32>(dy + o);
    const ss = splat(s);
    for (o = 0; o < whole; o += 16) v128.store(dx + o, v128.mul<f32>(v128.load(y + o), v128.sub<f32>(v128.load(dy + o), ss)));
    for (; o < bytes; o += 4) store<f32>(dx + o, load<f32>(y + o) * (load<f32>(dy + o) - s));
    y += bytes; dy += bytes; dx += bytes;
  }
}

/** y = x - log(sum(e^x)) over M rows of n floats. */
export function logSoftmaxRows(x: usize, y: usize, M: i32, n: i32): void {
  const whole = <usize>(n & ~3) << 2, bytes = <usize>n << 2;
  for (let r = 0; r < M; r++) {
    const m = rowMax(x, n), shift = <f32>logOf(<f64>rowExpSum(x, 0, n, m)), mm = splat(m), ss = splat(shift);
    let o: usize = 0;
    for (; o < whole; o += 16) v128.store(y + o, v128.sub<f32>(v128.sub<f32>(v128.load(x + o), mm), ss));
    for (; o < bytes; o += 4) store<f32>(y + o, load<f32>(x + o) - m - shift);
    x += bytes; y += bytes;
  }
}

/** dx = dy - e^y sum(dy) over M rows of n floats. */
export function logSoftmaxGradientRows(y: usize, dy: usize, dx: usize, M: i32, n: i32): void {
  const whole = <usize>(n & ~3) << 2, bytes = <usize>n << 2;
  for (let r = 0; r < M; r++) {
    let a = splat(0), o: usize = 0;
    for (; o < whole; o += 16) a = v128.add<f32>(a, v128.load(dy + o));
    let s = sumLanes(a);
    for (; o < bytes; o += 4) s += load<f32>(dy + o);
    const ss = splat(s);
    for (o = 0; o < whole; o += 16) {
      v128.store(dx + o, v128.sub<f32>(v128.load(dy + o), v128.mul<f32>(expOrZero(v128.load(y + o)), ss)));
    }
    for (; o < bytes; o += 4) store<f32>(dx + o, load<f32>(dy + o) - lane0(expOrZero(v128.load32_splat(y + o))) * s);
    y += bytes; dy += bytes; dx += bytes;
  }
}
