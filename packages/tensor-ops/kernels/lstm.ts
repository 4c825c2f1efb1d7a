// The LSTM at one step of `rows` rows. A packed row is [i | f | g | o | c' | h'] in slots of H: the gates, and the cell and state
// they came from. Before a step the gates hold the sums under their activations; backward, the gradients [di | df | dg | do] take their place.
import { madd, tanhV } from "./math";
import { batchOffset, get, put, sigmoids, tanhs } from "./recurrence";

@inline function unity(): v128 { return f32x4.splat(1); }

/** i, f, o = σ; g = tanh; c = f c' + i g; state and output = o tanh(c). */
export function lstmForward(packed: usize, h: usize, c: usize, output: usize, order: usize, t: i32, T: i32, rows: i32, H: i32): void {
  const slot = <usize>H << 2, vectors = slot & ~15;
  for (let j = 0; j < rows; j++) {
    const y = output + batchOffset(order, j, t, T, H);
    sigmoids(packed, 2 * slot);
    tanhs(packed + 2 * slot, slot);
    sigmoids(packed + 3 * slot, slot);
    let u: usize = 0;
    for (; u < vectors; u += 16) forwardUnit(packed + u, slot, h + u, c + u, y + u, false);
    for (; u < slot; u += 4) forwardUnit(packed + u, slot, h + u, c + u, y + u, true);
    packed += 6 * slot; h += slot; c += slot;
  }
}

@inline function forwardUnit(p: usize, slot: usize, h: usize, c: usize, y: usize, one: bool): void {
  const before = get(c, one), cell = madd(get(p + slot, one), before, v128.mul<f32>(get(p, one), get(p + 2 * slot, one)));
  const after = v128.mul<f32>(get(p + 3 * slot, one), tanhV(cell));
  put(p + 4 * slot, before, one); put(p + 5 * slot, get(h, one), one);
  put(c, cell, one); put(h, after, one); put(y, after, one);
}

/** Gradients of the sums from those of state, cell and output; dc becomes that of c'. */
export function lstmBackward(packed: usize, dh: usize, dc: usize, dy: usize, order: usize, t: i32, T: i32, rows: i32, H: i32): void {
  const slot = <usize>H << 2, vectors = slot & ~15;
  for (let j = 0; j < rows; j++) {
    const dyRow = dy + batchOffset(order, j, t, T, H);
    let u: usize = 0;
    for (; u < vectors; u += 16) backwardUnit(packed + u, slot, dh + u, dc + u, dyRow + u, false);
    for (; u < slot; u += 4) backwardUnit(packed + u, slot, dh + u, dc + u, dyRow + u, true);
    packed += 6 * slot; dh += slot; dc += slot;
  }
}

@inline function backwardUnit(p: usize, slot: usize, dh: usize, dc: usize, dy: usize, one: bool): void {
  const total = v128.add<f32>(get(dh, one), get(dy, one));
  const i = get(p, one), f = get(p + slot, one), g = get(p + 2 * slot, one), o = get(p + 3 * slot, one), before = get(p + 4 * slot, one);
  const bounded = tanhV(madd(f, before, v128.mul<f32>(i, g)));
  const dCell = madd(v128.mul<f32>(total, o), v128.sub<f32>(unity(), v128.mul<f32>(bounded, bounded)), get(dc, one));
  put(p, v128.mul<f32>(v128.mul<f32>(dCell, g), v128.mul<f32>(i, v128.sub<f32>(unity(), i))), one);
  put(p + slot, v128.mul<f32>(v128.mul<f32>(dCell, before), v128.mul<f32>(f, v128.sub<f32>(unity(), f))), one);
  put(p + 2 * slot, v128.mul<f32>(v128.mul<f32>(dCell, i), v128.sub<f32>(unity(), v128.mul<f32>(g, g))), one);
  put(p + 3 * slot, v128.mul<f32>(v128.mul<f32>(total, bounded), v128.mul<f32>(o, v128.sub<f32>(unity(), o))), one);
  put(dc, v128.mul<f32>(dCell, f), one);
}
