// Dropout whose mask is a function of (key, row, index in the row): nothing is stored, the gradient makes the same mask again,
// and src/ops/dropout-mask.ts makes it on the host bit for bit.
import { splat } from "./math";

/** A bijection of 32-bit words in which every input bit moves every output bit (Wellons' lowbias32). */
@inline function mix(x: u32): u32 {
  x = (x ^ (x >> 16)) * 0x7feb352d;
  x = (x ^ (x >> 15)) * 0x846ca68b;
  return x ^ (x >> 16);
}

/** The same on four words, with the row's second word added half way, so that no two rows walk the same sequence. */
@inline function hashV(i: v128, first: v128, second: v128): v128 {
  let x = v128.xor(i, first);
  x = v128.mul<i32>(v128.xor(x, v128.shr<u32>(x, 16)), i32x4.splat(0x7feb352d));
  x = v128.add<i32>(v128.xor(x, v128.shr<u32>(x, 15)), second);
  x = v128.mul<i32>(x, i32x4.splat(0x846ca68b));
  return v128.xor(x, v128.shr<u32>(x, 16));
}

/** y = x * scale where the hash is at least `threshold`, else 0, for rows of `width` floats; y may be x. */
export function dropoutRows(x: usize, y: usize, rows: i32, width: i32, firstRow: u32, keyA: u32, keyB: u32, threshold: u32, scale: f32): void {
  const limit = i32x4.splat(threshold), factor = splat(scale), four = i32x4.splat(4);
  for (let r = 0; r < rows; r++) {
    const row = firstRow + <u32>r;
    const first = i32x4.splat(mix(keyA ^ row)), second = i32x4.splat(mix(keyB + row));
    let i = i32x4(0, 1, 2, 3), n = 0;
    for (; n + 4 <= width; n += 4) {
      const keep = v128.ge<u32>(hashV(i, first, second), limit);
      v128.store(y, v128.and(v128.mul<f32>(v128.load(x), factor), keep));
      i = v128.add<i32>(i, four);
      x += 16; y += 16;
    }
    if (n < width) {
      const keep = v128.ge<u32>(hashV(i, first, second), limit);
      const k = width - n;
      if (k > 0) { store<f32>(y, i32x4.extract_lane(keep, 0) ? load<f32>(x) * scale : 0); }
      if (k > 1) { store<f32>(y, i32x4.extract_lane(keep, 1) ? load<f32>(x, 4) * scale : 0, 4); }
      if (k > 2) { store<f32>(y, i32x4.extract_lane(keep, 2) ? load<f32>(x, 8) * scale : 0, 8); }
      x += <usize>k << 2; y += <usize>k << 2;
    }
  }
}
