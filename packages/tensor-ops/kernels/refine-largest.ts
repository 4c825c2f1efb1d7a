// The largest few of each row of y = x Wᵀ + b, computed again in floats: what 8-bit products are good enough to find, but not to rank.
import { dotProducts } from "./dot-products";
import { splat } from "./math";

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
    for (let i = 0; i < n; i++) {
      const o = <usize>load<i32>(columns + (<usize>i << 2)), at = o << 2;
      dotProducts(x, row, 1, weight + o * row, row, 1, K, y + at, 0, bias ? bias + at : 0, 0);
    }
    x += row; y += <usize>O << 2;
  }
}
