// y[i] = f(x[i]) for n floats; y may be x. NaN stays NaN, infinities give the limits. Two vectors a turn, as one alone waits for
// its own chain; tails go through the same code in one lane.
import { expAnyV, lane0, splat, tanhV } from "./math";

@inline function sigmoidAnyV(x: v128): v128 {
  return v128.div<f32>(splat(1), v128.add<f32>(splat(1), expAnyV(v128.neg<f32>(x))));
}

export function tanhMap(x: usize, y: usize, n: i32): void {
  let i = 0;
  for (; i + 8 <= n; i += 8) {
    const a = tanhV(v128.load(x)), b = tanhV(v128.load(x, 16));
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
