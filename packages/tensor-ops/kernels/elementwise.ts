// y[i] = f(x[i]) for n floats; y may be x. NaN stays NaN, infinities give the limits. Two vectors a turn, as one alone waits for
// its own chain; tails go through the same code in one lane.
import { expAnyV, lane0, madd, oneFor, splat, tanhV } from "./math";

@inline function sigmoidAnyV(x: v128): v128 {
  return v128.div<f32>(splat(1), v128.add<f32>(splat(1), expAnyV(v128.neg<f32>(x))));
}

/** Eigen's quotient, as tanhV, with its constants made outside the loop: written inside, the engine would build each anew in every round. */
@inline function tanhWith(x: v128, low: v128, high: v128, a6: v128, a5: v128, a4: v128, a3: v128, a2: v128, a1: v128, a0: v128, b3: v128, b2: v128, b1: v128): v128 {
  x = v128.pmax<f32>(v128.pmin<f32>(x, high), low);
  const y = v128.mul<f32>(x, x);
  const p = madd(y, madd(y, madd(y, madd(y, madd(y, madd(y, a6, a5), a4), a3), a2), a1), a0);
  return v128.div<f32>(v128.mul<f32>(x, p), madd(y, madd(y, madd(y, b3, b2), b1), a0));
}

export function tanhMap(x: usize, y: usize, n: i32): void {
  const u = oneFor(n), low = splat(u * <f32>-7.90531110763549805), high = splat(u * <f32>7.90531110763549805);
  const a6 = splat(u * <f32>-2.76076847742355e-16), a5 = splat(u * <f32>2.00018790482477e-13), a4 = splat(u * <f32>-8.60467152213735e-11);
  const a3 = splat(u * <f32>5.12229709037114e-08), a2 = splat(u * <f32>1.48572235717979e-05), a1 = splat(u * <f32>6.37261928875436e-04);
  const a0 = splat(u * <f32>4.89352455891786e-03);
  const b3 = splat(u * <f32>1.19825839466702e-06), b2 = splat(u * <f32>1.18534705686654e-04), b1 = splat(u * <f32>2.26843463243900e-03);
  let i = 0;
  for (; i + 8 <= n; i += 8) {
    const a = tanhWith(v128.load(x), low, high, a6, a5, a4, a3, a2, a1, a0, b3, b2, b1);
    const b = tanhWith(v128.load(x, 16), low, high, a6, a5, a4, a3, a2, a1, a0, b3, b2, b1);
    v128.store(y, a); v128.store(y, b, 16);
    x += 32; y += 32;
  }
  for (; i < n; i++) { store<f32>(y, lane0(tanhV(v128.load_splat<f32>(x)))); x += 4; y += 4; }
}

export function sigmoidMap(x: usize, y: usize, n: i32): void {
  let i = 0;
  for (; i + 8 <= n; i += 8) {
    const a = sigmoidAnyV(v128.load(x)), b = sigmoidAnyV(v128.load(x, 16));
    v128.store(y, a); v128.store(y, b, 16);
    x += 32; y += 32;
  }
  for (; i < n; i++) { store<f32>(y, lane0(sigmoidAnyV(v128.load_splat<f32>(x)))); x += 4; y += 4; }
}

export function expMap(x: usize, y: usize, n: i32): void {
  let i = 0;
  for (; i + 8 <= n; i += 8) {
    const a = expAnyV(v128.load(x)), b = expAnyV(v128.load(x, 16));
    v128.store(y, a); v128.store(y, b, 16);
    x += 32; y += 32;
  }
  for (; i < n; i++) { store<f32>(y, lane0(expAnyV(v128.load_splat<f32>(x)))); x += 4; y += 4; }
}

/** y[i] = min(max(x[i], low), high). */
export function clipMap(x: usize, y: usize, n: i32, low: f32, high: f32): void {
  const l = splat(low), h = splat(high);
  let i = 0;
  for (; i + 4 <= n; i += 4) { v128.store(y, v128.min<f32>(v128.max<f32>(v128.load(x), l), h)); x += 16; y += 16; }
  for (; i < n; i++) { store<f32>(y, min(max(load<f32>(x), low), high)); x += 4; y += 4; }
}
