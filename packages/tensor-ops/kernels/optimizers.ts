// One optimizer step on one parameter of n floats, in place: every element is read and written once. Formulas and their order
// are PyTorch's; with a fused multiply-add a rounding is spared, so the last digit may differ between the two builds.
import { lane0, madd, splat } from "./math";

/**
 * g += l2 p; m = b1 m + c1 g; v = b2 v + c2 g²; p = keep p - rate m / (sqrt(v) inverseRoot + epsilon).
 * rate = learning rate / (1-b1^t), inverseRoot = 1/sqrt(1-b2^t), c = 1-b; l2 is Adam's weight decay, keep = 1 - rate decay AdamW's.
 */
export function adamStep(p: usize, g: usize, m: usize, v: usize, n: i32, rate: f32, b1: f32, c1: f32, b2: f32, c2: f32, inverseRoot: f32, epsilon: f32, l2: f32, keep: f32): void {
  const end4 = p + (<usize>(n & ~3) << 2), end = p + (<usize>n << 2);
  const L2 = splat(l2), B1 = splat(b1), C1 = splat(c1), B2 = splat(b2), C2 = splat(c2);
  const root = splat(inverseRoot), small = splat(epsilon), back = splat(-rate), kept = splat(keep);
  for (; p < end4; p += 16, g += 16, m += 16, v += 16) {
    const w = v128.load(p), d = madd(L2, w, v128.load(g));
    const mean = madd(C1, d, v128.mul<f32>(B1, v128.load(m)));
    const square = madd(v128.mul<f32>(C2, d), d, v128.mul<f32>(B2, v128.load(v)));
    v128.store(m, mean); v128.store(v, square);
    v128.store(p, madd(back, v128.div<f32>(mean, madd(v128.sqrt<f32>(square), root, small)), v128.mul<f32>(w, kept)));
  }
  for (; p < end; p += 4, g += 4, m += 4, v += 4) {
    const w = v128.load32_splat(p), d = madd(L2, w, v128.load32_splat(g));
    const mean = madd(C1, d, v128.mul<f32>(B1, v128.load32_splat(m)));
    const square = madd(v128.mul<f32>(C2, d), d, v128.mul<f32>(B2, v128.load32_splat(v)));
    store<f32>(m, lane0(mean)); store<f32>(v, lane0(square));
    store<f32>(p, lane0(madd(back, v128.div<f32>(mean, madd(v128.sqrt<f32>(square), root, small)), v128.mul<f32>(w, kept))));
  }
}

/** g += l2 p; b = momentum b + g; p -= rate d with d = b, or g + momentum b for Nesterov. The first step has b = 0. */
export function momentumStep(p: usize, g: usize, b: usize, n: i32, rate: f32, momentum: f32, nesterov: bool, l2: f32): void {
  const end4 = p + (<usize>(n & ~3) << 2), end = p + (<usize>n << 2);
  const L2 = splat(l2), mu = splat(momentum), back = splat(-rate);
  for (; p < end4; p += 16, g += 16, b += 16) {
    const w = v128.load(p), d = madd(L2, w, v128.load(g)), velocity = madd(mu, v128.load(b), d);
    v128.store(b, velocity);
    v128.store(p, madd(back, nesterov ? madd(mu, velocity, d) : velocity, w));
  }
  for (; p < end; p += 4, g += 4, b += 4) {
    const w = v128.load32_splat(p), d = madd(L2, w, v128.load32_splat(g)), velocity = madd(mu, v128.load32_splat(b), d);
    store<f32>(b, lane0(velocity));
    store<f32>(p, lane0(madd(back, nesterov ? madd(mu, velocity, d) : velocity, w)));
  }
}

/** y = a x + b y for n floats. */
export function scaleAdd(x: usize, y: usize, n: i32, a: f32, b: f32): void {
  const end4 = x + (<usize>(n & ~3) << 2), end = x + (<usize>n << 2), aa = splat(a), bb = splat(b);
  for (; x < end4; x += 16, y += 16) v128.store(y, madd(aa, v128.load(x), v128.mul<f32>(bb, v128.load(y))));
  for (; x < end; x += 4, y += 4) store<f32>(y, lane0(madd(aa, v128.load32_splat(x), v128.mul<f32>(bb, v128.load32_splat(y)))));
}

/** Exchanges n floats of x and y. */
export function exchange(x: usize, y: usize, n: i32): void {
  const end4 = x + (<usize>(n & ~3) << 2), end = x + (<usize>n << 2);
  for (; x < end4; x += 16, y += 16) { const t = v128.load(x); v128.store(x, v128.load(y)); v128.store(y, t); }
  for (; x < end; x += 4, y += 4) { const t = load<f32>(x); store<f32>(x, load<f32>(y)); store<f32>(y, t); }
}

/** Sum of squares of n floats, in double precision: no overflow, however large the elements. */
export function sumOfSquares(x: usize, n: i32): f64 {
  const end8 = x + (<usize>(n & ~7) << 2), end = x + (<usize>n << 2);
  let a = f64x2.splat(0), b = a, c = a, d = a;
  for (; x < end8; x += 32) {
    const v = v128.load(x), w = v128.load(x, 16);
    const v0 = f64x2.promote_low_f32x4(v), v1 = f64x2.promote_low_f32x4(v128.shuffle<i64>(v, v, 1, 1));
    const w0 = f64x2.promote_low_f32x4(w), w1 = f64x2.promote_low_f32x4(v128.shuffle<i64>(w, w, 1, 1));
    a = v128.add<f64>(a, v128.mul<f64>(v0, v0));
    b = v128.add<f64>(b, v128.mul<f64>(v1, v1));
    c = v128.add<f64>(c, v128.mul<f64>(w0, w0));
    d = v128.add<f64>(d, v128.mul<f64>(w1, w1));
  }
  const s = v128.add<f64>(v128.add<f64>(a, b), v128.add<f64>(c, d));
  let sum = f64x2.extract_lane(s, 0) + f64x2.extract_lane(s, 1);
  for (; x < end; x += 4) sum += <f64>load<f32>(x) * <f64>load<f32>(x);
  return sum;
}

/** y = a x for n floats; y may be x. */
export function scaleBy(x: usize, y: usize, n: i32, a: f32): void {
  const end4 = x + (<usize>(n & ~3) << 2), end = x + (<usize>n << 2), s = splat(a);
  for (; x < end4; x += 16, y += 16) v128.store(y, v128.mul<f32>(v128.load(x), s));
  for (; x < end; x += 4, y += 4) store<f32>(y, load<f32>(x) * a);
}
