// The simple RNN at one step of `rows` rows. A packed row is [a | h'] in slots of H: its activation, and the state it came from.
// Backward, the gradient of the sum takes the activation's place.
import { tanhV } from "./math";
import { batchOffset, get, put } from "./recurrence";

/** a = f(the sum that lies in its place); state and output = a. */
export function rnnForward(packed: usize, h: usize, output: usize, order: usize, t: i32, T: i32, rows: i32, H: i32, relu: bool): void {
  const slot = <usize>H << 2, vectors = slot & ~15;
  for (let j = 0; j < rows; j++) {
    const y = output + batchOffset(order, j, t, T, H);
    let o: usize = 0;
    for (; o < vectors; o += 16) forwardUnit(packed + o, slot, h + o, y + o, relu, false);
    for (; o < slot; o += 4) forwardUnit(packed + o, slot, h + o, y + o, relu, true);
    packed += 2 * slot; h += slot;
  }
}

@inline function forwardUnit(p: usize, slot: usize, h: usize, y: usize, relu: bool, one: bool): void {
  const sum = get(p, one);
  const a = relu ? v128.max<f32>(sum, f32x4.splat(0)) : tanhV(sum);
  put(p + slot, get(h, one), one);
  put(p, a, one); put(h, a, one); put(y, a, one);
}

/** d(sum) from the gradients of the state and of the output. */
export function rnnBackward(packed: usize, dh: usize, dy: usize, order: usize, t: i32, T: i32, rows: i32, H: i32, relu: bool): void {
  const slot = <usize>H << 2, vectors = slot & ~15;
  for (let j = 0; j < rows; j++) {
    const dyRow = dy + batchOffset(order, j, t, T, H);
    let o: usize = 0;
    for (; o < vectors; o += 16) backwardUnit(packed + o, dh + o, dyRow + o, relu, false);
    for (; o < slot; o += 4) backwardUnit(packed + o, dh + o, dyRow + o, relu, true);
    packed += 2 * slot; dh += slot;
  }
}

@inline function backwardUnit(p: usize, dh: usize, dy: usize, relu: bool, one: bool): void {
  const a = get(p, one), total = v128.add<f32>(get(dh, one), get(dy, one));
  put(p, relu
    ? v128.and(total, v128.gt<f32>(a, f32x4.splat(0)))
    : v128.mul<f32>(total, v128.sub<f32>(f32x4.splat(1), v128.mul<f32>(a, a))), one);
}
