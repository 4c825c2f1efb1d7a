// Rows brought to mean 0 and variance 1, then scaled and shifted. The mean is taken first and the variance from the
// differences (two passes over a row that is in the cache), so large means cost no digits. Nothing is stored for the gradient:
// it takes mean and variance again.
import { madd, splat, sumLanes } from "./math";

/** Mean of n floats. */
function meanOf(x: usize, n: i32): f32 {
  const end4 = x + (<usize>(n & ~3) << 2), end = x + (<usize>n << 2);
  let a = splat(0);
  for (; x < end4; x += 16) a = v128.add<f32>(a, v128.load(x));
  let s = sumLanes(a);
  for (; x < end; x += 4) s += load<f32>(x);
  return s / <f32>n;
}

/** 1 / sqrt(variance + epsilon) of n floats whose mean is m. */
function inverseDeviation(x: usize, n: i32, m: f32, epsilon: f32): f32 {
  const end4 = x + (<usize>(n & ~3) << 2), end = x + (<usize>n << 2), mm = splat(m);
  let a = splat(0);
  for (; x < end4; x += 16) { const d = v128.sub<f32>(v128.load(x), mm); a = madd(d, d, a); }
  let s = sumLanes(a);
  for (; x < end; x += 4) { const d = load<f32>(x) - m; s += d * d; }
  return 1 / sqrt<f32>(s / <f32>n + epsilon);
}

/** y = (x - mean) / sqrt(variance + epsilon) * w + b over M rows of n floats. */
export function layerNormRows(x: usize, w: usize, b: usize, y: usize, M: i32, n: i32, epsilon: f32): void {
  const whole = <usize>(n & ~3) << 2, bytes = <usize>n << 2;
  for (let r = 0; r < M; r++) {
    const m = meanOf(x, n), inverse = inverseDeviation(x, n, m, epsilon), mm = splat(m), ii = splat(inverse);
    let o: usize = 0;
    for (; o < whole; o += 16) {
      const h = v128.mul<f32>(v128.sub<f32>(v128.load(x + o), mm), ii);
      v128.store(y + o, madd(h, v128.load(w + o), v128.load(b + o)));
    }
    for (; o < bytes; o += 4) store<f32>(y + o, (load<f32>(x + o) - m) * inverse * load<f32>(w + o) + load<f32>(b + o));
    x += bytes; y += bytes;
  }
}

/**
 * With h = (x - mean) / deviation and g = dy w: dx = (g - mean(g) - h mean(g h)) / deviation; dw += dy h and db += dy over M rows.
 */
export function layerNormGradientRows(x: usize, w: usize, dy: usize, dx: usize, dw: usize, db: usize, M: i32, n: i32, epsilon: f32): void {
  const whole = <usize>(n & ~3) << 2, bytes = <usize>n << 2;
  for (let r = 0; r < M; r++) {
    const m = meanOf(x, n), inverse = inverseDeviation(x, n, m, epsilon), mm = splat(m), ii = splat(inverse);
    let sumG = splat(0), sumGH = splat(0), o: usize = 0;
    for (; o < whole; o += 16) {
      const h = v128.mul<f32>(v128.sub<f32>(v128.load(x + o), mm), ii), d = v128.load(dy + o), g = v128.mul<f32>(d, v128.load(w + o));
      v128.store(dw + o, madd(d, h, v128.load(dw + o)));
      v128.store(db + o, v128.add<f32>(v128.load(db + o), d));
      sumG = v128.add<f32>(sumG, g); sumGH = madd(g, h, sumGH);
    }
    let g0 = sumLanes(sumG), h0 = sumLanes(sumGH);
    for (; o < bytes; o += 4) {
      const h = (load<f32>(x + o) - m) * inverse, d = load<f32>(dy + o), g = d * load<f32>(w + o);
      store<f32>(dw + o, load<f32>(dw + o) + d * h);
      store<f32>(db + o, load<f32>(db + o) + d);
      g0 += g; h0 += g * h;
    }
    g0 /= <f32>n; h0 /= <f32>n;
    const gg = splat(g0), hh = splat(h0);
    for (o = 0; o < whole; o += 16) {
      const h = v128.mul<f32>(v128.sub<f32>(v128.load(x + o), mm), ii), g = v128.mul<f32>(v128.load(dy + o), v128.load(w + o));
      v128.store(dx + o, v128.mul<f32>(ii, v128.sub<f32>(v128.sub<f32>(g, gg), v128.mul<f32>(h, hh))));
    }
    for (; o < bytes; o += 4) {
      const h = (load<f32>(x + o) - m) * inverse, g = load<f32>(dy + o) * load<f32>(w + o);
      store<f32>(dx + o, inverse * (g - g0 - h * h0));
    }
    x += bytes; dy += bytes; dx += bytes;
  }
}
