// One optimizer step on one parameter of n floats, in place. Every element is read and written once; tails go through the
// same vector code in one lane. Formulas and order of operations are PyTorch's.
import { lane0, madd, splat } from "./math";

/**
 * m = b1 m + (1-b1) g; v = b2 v + (1-b2) g²; p = decay p - rate m / (sqrt(v) inverseRoot + epsilon).
 * rate = learning rate / (1-b1^t), inverseRoot = 1/sqrt(1-b2^t); l2 is added to g as l2 p (Adam), decay = 1 - rate*weight decay (AdamW).
 */
export function adamStep(p: usize, g: usize, m: usize, v: usize, n: i32, rate: f32, b1: f32, c1: f32, b2: f32, c2: f32, inverseRoot: f32, epsilon: f32, l2: f32, decay: f32): void {
  const end4 = p + (<usize>(n & ~3) << 2), end = p + (<usize>n << 2);
  for (; p < end4; p += 16, g += 16, m += 16, v += 16) {
    const w = v128.load(p), d = madd(splat(l2), w, v128.load(g));
    const mean = madd(splat(c1), d, v128.mul<f32>(splat(b1), v128.load(m)));
    const square = madd(v128.mul<f32>(splat(c2), d), d, v128.mul<f32>(splat(b2), v128.load(v)));
    v128.store(m, mean); v128.store(v, square);
    v128.store(p, adamMove(w, mean, square, rate, inverseRoot, epsilon, decay));
  }
  for (; p < end; p += 4, g += 4, m += 4, v += 4) {
    const w = v128.load32_splat(p), d = madd(splat(l2), w, v128.load32_splat(g));
    const mean = madd(splat(c1), d, v128.mul<f32>(splat(b1), v128.load32_splat(m)));
    const square = madd(v128.mul<f32>(splat(c2), d), d, v128.mul<f32>(splat(b2), v128.load32_splat(v)));
    store<f32>(m, lane0(mean)); store<f32>(v, lane0(square));
    store<f32>(p, lane0(adamMove(w, mean, square, rate, inverseRoot, epsilon, decay)));
  }
}

@inline function adamMove(w: v128, mean: v128, square: v128, rate: f32, inverseRoot: f32, epsilon: f32, decay: f32): v128 {
  const denominator = madd(v128.sqrt<f32>(square), splat(inverseRoot), splat(epsilon));
  return madd(splat(-rate), v128.div<f32>(mean, denominator), v128.mul<f32>(w, splat(decay)));
}

/** Sum of squares of n floats, in double precision: no overflow, however large the elements. */
export function sumOfSquares(x: usize, n: i32): f64 {
  const end4 = x + (<usize>(n & ~3) << 2), end = x + (<usize>n << 2);
  let a = f64x2.splat(0), b = a;
  for (; x < end4; x += 16) {
    const v = v128.load(x);
    const low = f64x2.promote_low_f32x4(v), high = f64x2.promote_low_f32x4(v128.shuffle<i32>(v, v, 2, 3, 2, 3));
    a = v128.add<f64>(a, v128.mul<f64>(low, low));
    b = v128.add<f64>(b, v128.mul<f64>(high, high));
  }
  const s = v128.add<f64>(a, b);
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
