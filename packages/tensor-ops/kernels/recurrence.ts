// What the recurrences share. A batch [B,T,W] is visited packed: time by time, and in each step the rows that are still
// real, longest first. `order` (i32[B]) names the rows, `active` (i32[T]) says how many are real at each step.
import { lane0, sigmoidV, tanhV } from "./math";

/** Four floats, or at a row's end one. */
@inline export function get(p: usize, one: bool): v128 { return one ? v128.load_splat<f32>(p) : v128.load(p); }
@inline export function put(p: usize, v: v128, one: bool): void { if (one) store<f32>(p, lane0(v)); else v128.store(p, v); }

/** Byte offset of row order[j]'s step t in a batch [B,T,W]. */
@inline export function batchOffset(order: usize, j: i32, t: i32, T: i32, W: i32): usize {
  return (<usize>load<i32>(order + (<usize>j << 2)) * T + t) * W << 2;
}

/** σ in place of each of `bytes` / 4 floats. A loop of its own: in one with what waits for the gates, fewer of them are in flight. */
@inline export function sigmoids(p: usize, bytes: usize): void {
  const end = p + bytes, whole = p + (bytes & ~15);
  for (; p < whole; p += 16) v128.store(p, sigmoidV(v128.load(p)));
  for (; p < end; p += 4) store<f32>(p, lane0(sigmoidV(v128.load_splat<f32>(p))));
}

/** tanh in place of each of `bytes` / 4 floats. */
@inline export function tanhs(p: usize, bytes: usize): void {
  const end = p + bytes, whole = p + (bytes & ~15);
  for (; p < whole; p += 16) v128.store(p, tanhV(v128.load(p)));
  for (; p < end; p += 4) store<f32>(p, lane0(tanhV(v128.load_splat<f32>(p))));
}

/** packed = the real steps of x[B,T,W]. */
export function packSteps(x: usize, T: i32, W: i32, order: usize, active: usize, packed: usize): void {
  const bytes = <usize>W << 2;
  for (let t = 0; t < T; t++) {
    const rows = load<i32>(active + (<usize>t << 2));
    for (let j = 0; j < rows; j++) { memory.copy(packed, x + batchOffset(order, j, t, T, W), bytes); packed += bytes; }
  }
}

/** The real steps of x[B,T,W] = packed; the others stay. */
export function unpackSteps(packed: usize, T: i32, W: i32, order: usize, active: usize, x: usize): void {
  const bytes = <usize>W << 2;
  for (let t = 0; t < T; t++) {
    const rows = load<i32>(active + (<usize>t << 2));
    for (let j = 0; j < rows; j++) { memory.copy(x + batchOffset(order, j, t, T, W), packed, bytes); packed += bytes; }
  }
}

/** y[order[j]] = x[j] for B rows of W. */
export function restoreRows(x: usize, B: i32, W: i32, order: usize, y: usize): void {
  const bytes = <usize>W << 2;
  for (let j = 0; j < B; j++) { memory.copy(y + batchOffset(order, j, 0, 1, W), x, bytes); x += bytes; }
}
