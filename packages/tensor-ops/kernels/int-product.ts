// C = op(A) op(B) of 32-bit integers, wrapping as they do. Made for correctness: counting and one-hot products, not for speed.

/** C[M,N], dense; leading dimensions in elements. */
export function intProduct(transposeA: i32, transposeB: i32, M: i32, N: i32, K: i32, a: usize, lda: i32, b: usize, ldb: i32, c: usize): void {
  const aRow: usize = transposeA ? 4 : <usize>lda << 2, aStep: usize = transposeA ? <usize>lda << 2 : 4;
  const bColumn: usize = transposeB ? <usize>ldb << 2 : 4, bStep: usize = transposeB ? 4 : <usize>ldb << 2;
  for (let m = 0; m < M; m++) {
    for (let n = 0; n < N; n++) {
      let p = a + <usize>m * aRow, q = b + <usize>n * bColumn, sum = 0;
      for (let k = 0; k < K; k++) { sum += load<i32>(p) * load<i32>(q); p += aStep; q += bStep; }
      store<i32>(c, sum);
      c += 4;
    }
  }
}
