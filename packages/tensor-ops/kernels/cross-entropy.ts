// Softmax and negative log-likelihood of rows in one go: each logit is read for the maximum, exponentiated once, and turned
// into its gradient. The maximum is subtracted first, so logits of any size are safe; the row sum of V terms is taken in 8
// single-precision lanes (relative error below V/8 * 6e-8 in the worst case), the loss in double precision.
import { logOf, splat, sumLanes } from "./math";
import { rowExpSum, rowMax, rowScale } from "./softmax";

/** Sum over n floats of x - m. */
function rowSumAbove(x: usize, n: i32, m: f32): f32 {
  const end8 = x + (<usize>(n & ~7) << 2), end = x + (<usize>n << 2), mm = splat(m);
  let a = splat(0), b = a;
  for (; x < end8; x += 32) {
    a = v128.add<f32>(a, v128.sub<f32>(v128.load(x), mm));
    b = v128.add<f32>(b, v128.sub<f32>(v128.load(x, 16), mm));
  }
  let s = sumLanes(v128.add<f32>(a, b));
  for (; x < end; x += 4) s += load<f32>(x) - m;
  return s;
}

/**
 * Loss and gradient of M rows of V logits against targets[M]; returns the sum of the rows' losses.
 * Row loss, smoothing e: log sum_j exp(l_j) - (1-e) l_target - e/V sum_j l_j.
 * gradient (0 = none, may be `logits`) = scale * (softmax - (1-e) onehot - e/V). Rows whose target is `ignore` give zeros.
 */
export function crossEntropyRows(logits: usize, gradient: usize, targets: usize, M: i32, V: i32, smoothing: f32, scale: f32, ignore: i32): f64 {
  const bytes = <usize>V << 2;
  const share = smoothing / <f32>V;
  let loss: f64 = 0;
  for (let r = 0; r < M; r++) {
    const target = load<i32>(targets);
    if (target == ignore) {
      if (gradient) memory.fill(gradient, 0, bytes);
    } else {
      const at = <usize>target << 2;
      const m = rowMax(logits, V), chosen = <f64>load<f32>(logits + at) - m;
      const above = smoothing > 0 ? <f64>rowSumAbove(logits, V, m) : 0;
      const s = rowExpSum(logits, gradient, V, m);
      loss += logOf(<f64>s) - (1 - <f64>smoothing) * chosen - <f64>share * above;
      if (gradient) {
        rowScale(gradient, V, scale / s, scale * share);
        store<f32>(gradient + at, load<f32>(gradient + at) - scale * (1 - smoothing));
      }
    }
    targets += 4; logits += bytes;
    if (gradient) gradient += bytes;
  }
  return loss;
}

/** How many of M rows of V logits have their first largest one at targets[row]. */
export function countLargest(logits: usize, targets: usize, M: i32, V: i32): i32 {
  const bytes = <usize>V << 2;
  let count = 0;
  for (let r = 0; r < M; r++) {
    const m = rowMax(logits, V), target = logits + (<usize>load<i32>(targets) << 2);
    if (load<f32>(target) == m) {
      let p = logits;
      while (load<f32>(p) != m) p += 4;
      if (p == target) count++;
    }
    targets += 4; logits += bytes;
  }
  return count;
}
