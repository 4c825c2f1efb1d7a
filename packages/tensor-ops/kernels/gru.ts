// The GRU at one step of `rows` rows. A packed row is [n | r | z | m | h'] in slots of H: the gates, the state's share m of the
// new value, and the state h' they came from. Before a step n, r, z (and m) hold the sums under their activations.
// Backward, the gradients [dn | dr | dz | dm] take the place of the gates.
import { madd, sigmoidV, tanhV } from "./math";
import { batchOffset, get, put, sigmoids } from "./recurrence";

@inline function one_(): v128 { return f32x4.splat(1); }

/** r, z = σ; n = tanh(n + r m); state and output = n + z (h' - n). */
export function gruForward(packed: usize, h: usize, output: usize, order: usize, t: i32, T: i32, rows: i32, H: i32): void {
  const slot = <usize>H << 2, vectors = slot & ~15;
  for (let j = 0; j < rows; j++) {
    const y = output + batchOffset(order, j, t, T, H);
    sigmoids(packed + slot, 2 * slot);
    let o: usize = 0;
    for (; o < vectors; o += 16) forwardUnit(packed + o, slot, h + o, y + o, false);
    for (; o < slot; o += 4) forwardUnit(packed + o, slot, h + o, y + o, true);
    packed += 5 * slot; h += slot;
  }
}

@inline function forwardUnit(p: usize, slot: usize, h: usize, y: usize, one: bool): void {
  const n = tanhV(madd(get(p + slot, one), get(p + 3 * slot, one), get(p, one)));
  const before = get(h, one), after = madd(get(p + 2 * slot, one), v128.sub<f32>(before, n), n);
  put(p, n, one); put(p + 4 * slot, before, one);
  put(h, after, one); put(y, after, one);
}

/** Gradients of the sums from those of state and output; dh = z·d, to which the recurrent product's share is still to come. */
export function gruBackward(packed: usize, dh: usize, dy: usize, order: usize, t: i32, T: i32, rows: i32, H: i32): void {
  const slot = <usize>H << 2, vectors = slot & ~15;
  for (let j = 0; j < rows; j++) {
    const dyRow = dy + batchOffset(order, j, t, T, H);
    let o: usize = 0;
    for (; o < vectors; o += 16) backwardUnit(packed + o, slot, dh + o, dyRow + o, false);
    for (; o < slot; o += 4) backwardUnit(packed + o, slot, dh + o, dyRow + o, true);
    packed += 5 * slot; dh += slot;
  }
}

@inline function backwardUnit(p: usize, slot: usize, dh: usize, dy: usize, one: bool): void {
  const total = v128.add<f32>(get(dh, one), get(dy, one));
  const n = get(p, one), r = get(p + slot, one), z = get(p + 2 * slot, one), m = get(p + 3 * slot, one), h = get(p + 4 * slot, one);
  const notZ = v128.sub<f32>(one_(), z);
  const dn = v128.mul<f32>(v128.mul<f32>(total, notZ), v128.sub<f32>(one_(), v128.mul<f32>(n, n)));
  put(p, dn, one);
  put(p + slot, v128.mul<f32>(v128.mul<f32>(dn, m), v128.mul<f32>(r, v128.sub<f32>(one_(), r))), one);
  put(p + 2 * slot, v128.mul<f32>(v128.mul<f32>(total, v128.sub<f32>(h, n)), v128.mul<f32>(z, notZ)), one);
  put(p + 3 * slot, v128.mul<f32>(dn, r), one);
  put(dh, v128.mul<f32>(total, z), one);
}

/** Reset before the product: r = σ, m = r h. */
export function gruReset(packed: usize, h: usize, rows: i32, H: i32): void {
  const slot = <usize>H << 2, vectors = slot & ~15;
  for (let j = 0; j < rows; j++) {
    let o: usize = 0;
    for (; o < vectors; o += 16) resetUnit(packed + o, slot, h + o, false);
    for (; o < slot; o += 4) resetUnit(packed + o, slot, h + o, true);
    packed += 5 * slot; h += slot;
  }
}

@inline function resetUnit(p: usize, slot: usize, h: usize, one: bool): void {
  const r = sigmoidV(get(p + slot, one));
  put(p + slot, r, one);
  put(p + 3 * slot, v128.mul<f32>(r, get(h, one)), one);
}

/** z = σ, n = tanh; state and output = n + z (h' - n). */
export function gruUpdate(packed: usize, h: usize, output: usize, order: usize, t: i32, T: i32, rows: i32, H: i32): void {
  const slot = <usize>H << 2, vectors = slot & ~15;
  for (let j = 0; j < rows; j++) {
    const y = output + batchOffset(order, j, t, T, H);
    let o: usize = 0;
    for (; o < vectors; o += 16) updateUnit(packed + o, slot, h + o, y + o, false);
    for (; o < slot; o += 4) updateUnit(packed + o, slot, h + o, y + o, true);
    packed += 5 * slot; h += slot;
  }
}

@inline function updateUnit(p: usize, slot: usize, h: usize, y: usize, one: bool): void {
  const z = sigmoidV(get(p + 2 * slot, one)), n = tanhV(get(p, one));
  const before = get(h, one), after = madd(z, v128.sub<f32>(before, n), n);
  put(p, n, one); put(p + 2 * slot, z, one); put(p + 4 * slot, before, one);
  put(h, after, one); put(y, after, one);
}

/** dn, dz and dh = z·d; dm is to come from the product with dn, in the place of m. */
export function gruUpdateBackward(packed: usize, dh: usize, dy: usize, order: usize, t: i32, T: i32, rows: i32, H: i32): void {
  const slot = <usize>H << 2, vectors = slot & ~15;
  for (let j = 0; j < rows; j++) {
    const dyRow = dy + batchOffset(order, j, t, T, H);
    let o: usize = 0;
    for (; o < vectors; o += 16) updateBackwardUnit(packed + o, slot, dh + o, dyRow + o, false);
    for (; o < slot; o += 4) updateBackwardUnit(packed + o, slot, dh + o, dyRow + o, true);
    packed += 5 * slot; dh += slot;
  }
}

@inline function updateBackwardUnit(p: usize, slot: usize, dh: usize, dy: usize, one: bool): void {
  const total = v128.add<f32>(get(dh, one), get(dy, one));
  const n = get(p, one), z = get(p + 2 * slot, one), h = get(p + 4 * slot, one);
  const notZ = v128.sub<f32>(one_(), z);
  put(p, v128.mul<f32>(v128.mul<f32>(total, notZ), v128.sub<f32>(one_(), v128.mul<f32>(n, n))), one);
  put(p + 2 * slot, v128.mul<f32>(v128.mul<f32>(total, v128.sub<f32>(h, n)), v128.mul<f32>(z, notZ)), one);
  put(dh, v128.mul<f32>(total, z), one);
}

/** From dm (the gradient of m = r h): dr, and its share of dh; m stands in its place again. */
export function gruResetBackward(packed: usize, dh: usize, rows: i32, H: i32): void {
  const slot = <usize>H << 2, vectors = slot & ~15;
  for (let j = 0; j < rows; j++) {
    let o: usize = 0;
    for (; o < vectors; o += 16) resetBackwardUnit(packed + o, slot, dh + o, false);
    for (; o < slot; o += 4) resetBackwardUnit(packed + o, slot, dh + o, true);
    packed += 5 * slot; dh += slot;
  }
}

@inline function resetBackwardUnit(p: usize, slot: usize, dh: usize, one: bool): void {
  const r = get(p + slot, one), dm = get(p + 3 * slot, one), m = v128.mul<f32>(r, get(p + 4 * slot, one));
  put(p + slot, v128.mul<f32>(v128.mul<f32>(dm, m), v128.sub<f32>(one_(), r)), one);
  put(p + 3 * slot, m, one);
  put(dh, madd(dm, r, get(dh, one)), one);
}
