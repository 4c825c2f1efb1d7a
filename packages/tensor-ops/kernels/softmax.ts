// Softmax over rows, its logarithm, and their gradients. The row's maximum is subtracted first, so numbers of any size are
// safe; sums run in 8 single-precision lanes (relative error below n/8 * 6e-8). What is masked, or -Infinity, gets exactly 0.
import { expAnyV, lane0, logOf, madd, maxLanes, oneFor, splat, sumLanes } from "./math";

/** All ones in the lanes whose byte of the four at `mask` is not zero. */
@inline function lanesOf(mask: usize): v128 {
  const wide = v128.extend_low<u16>(v128.extend_low<u8>(v128.load32_zero(mask)));
  return v128.ne<i32>(wide, i32x4.splat(0));
}

/** The first r of four floats at x, 1 <= r <= 3; the other lanes are `rest`. */
@inline function loadTail(x: usize, r: i32, rest: f32): v128 {
  let v = f32x4.replace_lane(splat(rest), 0, load<f32>(x));
  if (r > 1) v = f32x4.replace_lane(v, 1, load<f32>(x, 4));
  if (r > 2) v = f32x4.replace_lane(v, 2, load<f32>(x, 8));
  return v;
}

/** The first r lanes of v -> y. */
@inline function storeTail(y: usize, r: i32, v: v128): void {
  store<f32>(y, f32x4.extract_lane(v, 0));
  if (r > 1) store<f32>(y, f32x4.extract_lane(v, 1), 4);
  if (r > 2) store<f32>(y, f32x4.extract_lane(v, 2), 8);
}

/** loadTail of bytes as lanes of all ones or zeros. */
@inline function lanesOfTail(mask: usize, r: i32): v128 {
  let v = i32x4.replace_lane(i32x4.splat(0), 0, load<u8>(mask));
  if (r > 1) v = i32x4.replace_lane(v, 1, load<u8>(mask, 1));
  if (r > 2) v = i32x4.replace_lane(v, 2, load<u8>(mask, 2));
  return v128.ne<i32>(v, i32x4.splat(0));
}

/**
 * e^x for x <= 0 (Cephes' polynomial, relative error < 2e-7): exactly 0 at or below `low`, NaN for NaN. The constants come in from
 * outside the loop, in registers: written here, the engine would build each of them anew in every round.
 */
@inline function power(x: v128, low: v128, log2e: v128, magic: v128, ln2: v128, ln2Rest: v128, c6: v128, c5: v128, c4: v128, c3: v128, c2: v128, half: v128, one: v128): v128 {
  const z = v128.pmax<f32>(x, low);
  const t = madd(z, log2e, magic), n = v128.sub<f32>(t, magic); // adding 1.5*2^23 rounds to an integer
  const r = madd(n, ln2Rest, madd(n, ln2, z));
  const p = madd(r, madd(r, madd(r, madd(r, madd(r, madd(r, madd(r, c6, c5), c4), c3), c2), half), one), one);
  return v128.andnot(v128.add<i32>(p, v128.shl<i32>(t, 23)), v128.le<f32>(x, low));
}

/** Largest of n floats; NaN when all are. (pmax is one instruction, max seven, but it may lose a NaN.) */
export function rowMax(x: usize, n: i32): f32 {
  const end8 = x + (<usize>(n & ~7) << 2), end4 = x + (<usize>(n & ~3) << 2), r = n & 3;
  let a = splat(-Infinity), b = a;
  for (; x < end8; x += 32) { a = v128.pmax<f32>(v128.load(x), a); b = v128.pmax<f32>(v128.load(x, 16), b); }
  if (x < end4) { a = v128.pmax<f32>(v128.load(x), a); x += 16; }
  if (r) b = v128.pmax<f32>(loadTail(x, r, -Infinity), b);
  return maxLanes(v128.max<f32>(a, b));
}

/** Largest of those of n floats whose byte of the mask is not zero; -Infinity when there is none. */
function rowMaxMasked(x: usize, mask: usize, n: i32): f32 {
  const end4 = x + (<usize>(n & ~3) << 2), r = n & 3, none = splat(-Infinity);
  let a = none;
  for (; x < end4; x += 16, mask += 4) a = v128.pmax<f32>(v128.bitselect(v128.load(x), none, lanesOf(mask)), a);
  if (r) a = v128.pmax<f32>(v128.bitselect(loadTail(x, r, 0), none, lanesOfTail(mask, r)), a);
  return maxLanes(a);
}

/** y = e^(x-m) for n floats none of which is above m, where y is given (0 = not); returns their sum. y may be x. */
export function rowExpSum(x: usize, y: usize, n: i32, m: f32): f32 {
  const u = oneFor(n);
  const low = splat(u * <f32>-87.33), log2e = splat(u * <f32>1.44269504), magic = splat(u * <f32>12582912), one = splat(u), half = splat(u * <f32>0.50000001201);
  const ln2 = splat(u * <f32>-0.693359375), ln2Rest = splat(u * <f32>2.12194440e-4), c6 = splat(u * <f32>1.9875691500e-4), c5 = splat(u * <f32>1.3981999507e-3);
  const c4 = splat(u * <f32>8.3334519073e-3), c3 = splat(u * <f32>4.1665795894e-2), c2 = splat(u * <f32>1.6666665459e-1);
  const end8 = x + (<usize>(n & ~7) << 2), end4 = x + (<usize>(n & ~3) << 2), r = n & 3, mm = splat(m);
  let a = splat(0), b = a;
  if (y) {
    for (; x < end8; x += 32, y += 32) {
      const p = power(v128.sub<f32>(v128.load(x), mm), low, log2e, magic, ln2, ln2Rest, c6, c5, c4, c3, c2, half, one);
      const q = power(v128.sub<f32>(v128.load(x, 16), mm), low, log2e, magic, ln2, ln2Rest, c6, c5, c4, c3, c2, half, one);
      v128.store(y, p); v128.store(y, q, 16);
      a = v128.add<f32>(a, p); b = v128.add<f32>(b, q);
    }
  } else {
    for (; x < end8; x += 32) {
      a = v128.add<f32>(a, power(v128.sub<f32>(v128.load(x), mm), low, log2e, magic, ln2, ln2Rest, c6, c5, c4, c3, c2, half, one));
      b = v128.add<f32>(b, power(v128.sub<f32>(v128.load(x, 16), mm), low, log2e, magic, ln2, ln2Rest, c6, c5, c4, c3, c2, half, one));
    }
  }
  if (x < end4) {
    const p = power(v128.sub<f32>(v128.load(x), mm), low, log2e, magic, ln2, ln2Rest, c6, c5, c4, c3, c2, half, one);
    if (y) { v128.store(y, p); y += 16; }
    a = v128.add<f32>(a, p);
    x += 16;
  }
  if (r) {
    const p = power(v128.sub<f32>(loadTail(x, r, -Infinity), mm), low, log2e, magic, ln2, ln2Rest, c6, c5, c4, c3, c2, half, one);
    if (y) storeTail(y, r, p);
    b = v128.add<f32>(b, p);
  }
  return sumLanes(v128.add<f32>(a, b));
}

/** y = e^(x-m) where the mask's byte is not zero, else 0; returns the sum. */
function rowExpSumMasked(x: usize, mask: usize, y: usize, n: i32, m: f32): f32 {
  const end4 = <usize>(n & ~3), r = n & 3, none = splat(-Infinity);
  let at: usize = 0;
  for (; at < end4; at += 4) v128.store(y + (at << 2), v128.bitselect(v128.load(x + (at << 2)), none, lanesOf(mask + at)));
  if (r) storeTail(y + (at << 2), r, v128.bitselect(loadTail(x + (at << 2), r, 0), none, lanesOfTail(mask + at, r)));
  return rowExpSum(y, y, n, m);
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
      v128.store(dx + o, v128.sub<f32>(v128.load(dy + o), v128.mul<f32>(expAnyV(v128.load(y + o)), ss)));
    }
    for (; o < bytes; o += 4) store<f32>(dx + o, load<f32>(dy + o) - lane0(expAnyV(v128.load32_splat(y + o))) * s);
    y += bytes; dy += bytes; dx += bytes;
  }
}
