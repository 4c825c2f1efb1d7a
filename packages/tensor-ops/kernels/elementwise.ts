// y[i] = f(x[i]) for n floats; y may be x. Tails go through the same vector code in one lane.
import { expV, lane0, sigmoidV, tanhV } from "./math";

export function tanhMap(x: usize, y: usize, n: i32): void {
  let i = 0;
  for (; i + 4 <= n; i += 4) { v128.store(y, tanhV(v128.load(x))); x += 16; y += 16; }
  for (; i < n; i++) { store<f32>(y, lane0(tanhV(v128.load_splat<f32>(x)))); x += 4; y += 4; }
}

export function sigmoidMap(x: usize, y: usize, n: i32): void {
  let i = 0;
  for (; i + 4 <= n; i += 4) { v128.store(y, sigmoidV(v128.load(x))); x += 16; y += 16; }
  for (; i < n; i++) { store<f32>(y, lane0(sigmoidV(v128.load_splat<f32>(x)))); x += 4; y += 4; }
}

export function expMap(x: usize, y: usize, n: i32): void {
  let i = 0;
  for (; i + 4 <= n; i += 4) { v128.store(y, expV(v128.load(x))); x += 16; y += 16; }
  for (; i < n; i++) { store<f32>(y, lane0(expV(v128.load_splat<f32>(x)))); x += 4; y += 4; }
}
