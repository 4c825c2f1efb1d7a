// f applied to C in place, chosen by number: the last step of a matrix product while its rows are still in the cache.
import { expV, lane0, sigmoidV, splat, tanhV } from "./math";

export const RELU: i32 = 1;
export const RELU6: i32 = 2;
export const SIGMOID: i32 = 3;
export const TANH: i32 = 4;
export const ELU: i32 = 5;

@inline function applied(activation: i32, x: v128): v128 {
  switch (activation) {
    case RELU: return v128.pmax<f32>(x, splat(0));
    case RELU6: return v128.pmin<f32>(v128.pmax<f32>(x, splat(0)), splat(6));
    case SIGMOID: return sigmoidV(x);
    case TANH: return tanhV(x);
    default: return v128.bitselect(v128.sub<f32>(expV(x), splat(1)), x, v128.lt<f32>(x, splat(0)));
  }
}

/** c[m,n] = f(c[m,n]) for rows cRow bytes apart. */
export function activate(activation: i32, c: usize, cRow: usize, M: i32, N: i32): void {
  for (let m = 0; m < M; m++) {
    let n = 0, p = c;
    for (; n + 4 <= N; n += 4) { v128.store(p, applied(activation, v128.load(p))); p += 16; }
    for (; n < N; n++) { store<f32>(p, lane0(applied(activation, v128.load_splat<f32>(p)))); p += 4; }
    c += cRow;
  }
}
