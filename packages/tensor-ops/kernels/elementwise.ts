// y[i] = f(x[i]) for n floats; y may be x. NaN stays NaN, infinities give the limits. Two vectors a turn, as one alone waits for
// its own chain; tails go through the same code in one lane.
import { expAnyV, lane0, madd, oneFor, splat, TANH_BOUND, tanhV } from "./math";

/** Eigen's quotient, as tanhV, with its constants made outside the loop: written inside, the engine would build each anew in every round. */
@inline function tanhWith(x: v128, low: v128, high: v128, a6: v128, a5: v128, a4: v128, a3: v128, a2: v128, a1: v128, a0: v128, b3: v128, b2: v128, b1: v128): v128 {
  x = v128.pmax<f32>(v128.pmin<f32>(x, high), low);
  const y = v128.mul<f32>(x, x);
  const p = madd(y, madd(y, madd(y, madd(y, madd(y, madd(y, a6, a5), a4), a3), a2), a1), a0);
  return v128.div<f32>(v128.mul<f32>(x, p), madd(y, madd(y, madd(y, b3, b2), b1), a0));
}

export function tanhMap(x: usize, y: usize, n: i32): void {
  const u = oneFor(n), low = splat(u * -TANH_BOUND), high = splat(u * TANH_BOUND);
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

/** e^x as expAnyV, with its constants made outside the loop. */
@inline function expWith(x: v128, low: v128, high: v128, log2e: v128, round: v128, ln2High: v128, ln2Low: v128, e5: v128, e4: v128, e3: v128, e2: v128, e1: v128, e0: v128, one: v128): v128 {
  x = v128.pmax<f32>(v128.pmin<f32>(x, high), low);
  const t = madd(x, log2e, round), n = v128.sub<f32>(t, round);
  const r = madd(n, ln2Low, madd(n, ln2High, x));
  const p = madd(r, madd(r, madd(r, madd(r, madd(r, e5, e4), e3), e2), e1), e0);
  const k = v128.sub<i32>(t, round), half = v128.shr<i32>(k, 1);
  const first = v128.add<i32>(v128.shl<i32>(half, 23), one), second = v128.add<i32>(v128.shl<i32>(v128.sub<i32>(k, half), 23), one);
  return v128.mul<f32>(v128.mul<f32>(v128.add<f32>(madd(v128.mul<f32>(r, r), p, r), one), first), second);
}

export function expMap(x: usize, y: usize, n: i32): void {
  const u = oneFor(n), low = splat(u * <f32>-104), high = splat(u * <f32>89), one = splat(u);
  const log2e = splat(u * <f32>1.44269504088896341), round = splat(u * <f32>12582912.0);
  const ln2High = splat(u * <f32>-0.693359375), ln2Low = splat(u * <f32>2.12194440e-4);
  const e5 = splat(u * <f32>1.9875691500e-4), e4 = splat(u * <f32>1.3981999507e-3), e3 = splat(u * <f32>8.3334519073e-3);
  const e2 = splat(u * <f32>4.1665795894e-2), e1 = splat(u * <f32>1.6666665459e-1), e0 = splat(u * <f32>5.0000001201e-1);
  let i = 0;
  for (; i + 8 <= n; i += 8) {
    const a = expWith(v128.load(x), low, high, log2e, round, ln2High, ln2Low, e5, e4, e3, e2, e1, e0, one);
    const b = expWith(v128.load(x, 16), low, high, log2e, round, ln2High, ln2Low, e5, e4, e3, e2, e1, e0, one);
    v128.store(y, a); v128.store(y, b, 16);
    x += 32; y += 32;
  }
  for (; i < n; i++) { store<f32>(y, lane0(expAnyV(v128.load_splat<f32>(x)))); x += 4; y += 4; }
}

/** y[i] = min(max(x[i], low), high). */
export function clipMap(x: usize, y: usize, n: i32, low: f32, high: f32): void {
  const l = splat(low), h = splat(high);
  let i = 0;
  for (; i + 16 <= n; i += 16) {
    const a = clip(v128.load(x), l, h), b = clip(v128.load(x, 16), l, h), c = clip(v128.load(x, 32), l, h), d = clip(v128.load(x, 48), l, h);
    v128.store(y, a); v128.store(y, b, 16); v128.store(y, c, 32); v128.store(y, d, 48);
    x += 64; y += 64;
  }
  for (; i < n; i++) { store<f32>(y, lane0(clip(v128.load_splat<f32>(x), l, h))); x += 4; y += 4; }
}

/** The pseudo-minimum and -maximum take one instruction, and their first operand where one is NaN. */
@inline function clip(x: v128, low: v128, high: v128): v128 { return v128.pmin<f32>(v128.pmax<f32>(x, low), high); }
