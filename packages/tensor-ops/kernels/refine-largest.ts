// The largest few of each row of y = x Wᵀ + b, computed again in floats: what 8-bit products are good enough to find, but not to rank.
import { madd, splat, sumLanes } from "./math";

/** Bytes of scratch: the columns of the largest so far, and their values. */
export function refineScratchBytes(count: i32): i32 { return (count << 3) + 16; }

/** Where the smallest of n floats is. */
@inline function smallest(values: usize, n: i32): i32 {
  let at = 0, least = load<f32>(values);
  for (let i = 1; i < n; i++) {
    const value = load<f32>(values + (<usize>i << 2));
    if (value < least) { least = value; at = i; }
  }
  return at;
}

/** y[o] = x W[o]ᵀ + bias[o] for four columns, side by side: their rows lie anywhere, and one alone would wait for memory. */
function refineFour(x: usize, K: i32, weight: usize, bias: usize, y: usize, o0: usize, o1: usize, o2: usize, o3: usize): void {
  const row = <usize>K << 2, whole = row & ~15, w0 = weight + o0 * row, w1 = weight + o1 * row, w2 = weight + o2 * row, w3 = weight + o3 * row;
  let a0 = splat(0), a1 = a0, a2 = a0, a3 = a0, k: usize = 0;
  for (; k < whole; k += 16) {
    const v = v128.load(x + k);
    a0 = madd(v, v128.load(w0 + k), a0); a1 = madd(v, v128.load(w1 + k), a1);
    a2 = madd(v, v128.load(w2 + k), a2); a3 = madd(v, v128.load(w3 + k), a3);
  }
  let s0 = sumLanes(a0), s1 = sumLanes(a1), s2 = sumLanes(a2), s3 = sumLanes(a3);
  for (; k < row; k += 4) {
    const v = load<f32>(x + k);
    s0 += v * load<f32>(w0 + k); s1 += v * load<f32>(w1 + k); s2 += v * load<f32>(w2 + k); s3 += v * load<f32>(w3 + k);
  }
  store<f32>(y + (o0 << 2), s0 + offset(bias, o0)); store<f32>(y + (o1 << 2), s1 + offset(bias, o1));
  store<f32>(y + (o2 << 2), s2 + offset(bias, o2)); store<f32>(y + (o3 << 2), s3 + offset(bias, o3));
}

@inline function offset(bias: usize, o: usize): f32 { return bias ? load<f32>(bias + (o << 2)) : 0; }

/** y[M,O]: the `count` largest of each row (all where O is less) become x W[o]ᵀ + bias[o] (bias 0 = none), x [M,K], W [O,K]. */
export function refineLargest(x: usize, M: i32, K: i32, weight: usize, bias: usize, y: usize, O: i32, count: i32, scratch: usize): void {
  const row = <usize>K << 2, values = scratch, columns = scratch + (<usize>count << 2);
  const n = min(count, O);
  for (let m = 0; m < M; m++) {
    for (let o = 0; o < n; o++) {
      const at = <usize>o << 2;
      store<f32>(values + at, load<f32>(y + at)); store<i32>(columns + at, o);
    }
    if (n < O) {
      let least = smallest(values, n), bound = load<f32>(values + (<usize>least << 2)), o = n;
      while (o < O) {
        const at = y + (<usize>o << 2);
        if (o + 4 <= O && !v128.any_true(v128.gt<f32>(v128.load(at), splat(bound)))) { o += 4; continue; }
        const value = load<f32>(at);
        if (value > bound) {
          const place = <usize>least << 2;
          store<f32>(values + place, value); store<i32>(columns + place, o);
          least = smallest(values, n);
          bound = load<f32>(values + (<usize>least << 2));
        }
        o++;
      }
    }
    for (let i = 0; i < n; i += 4) {
      const last = columns + (<usize>(n - 1) << 2), p = columns + (<usize>i << 2);
      refineFour(x, K, weight, bias, y, load<i32>(p), load<i32>(min(p + 4, last)), load<i32>(min(p + 8, last)), load<i32>(min(p + 12, last)));
    }
    x += row; y += <usize>O << 2;
  }
}
