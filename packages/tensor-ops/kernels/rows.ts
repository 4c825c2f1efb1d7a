// Rows of a matrix: fill with one row, sum down the columns, copy in part. Leading dimensions in elements.

/** Every row of c[M,N] = row. */
export function fillRows(c: usize, ldc: i32, M: i32, N: i32, row: usize): void {
  const bytes = <usize>N << 2;
  for (let m = 0; m < M; m++) { memory.copy(c, row, bytes); c += <usize>ldc << 2; }
}

/** `count` runs of `bytes` bytes each, `fromStep` bytes apart, to places `toStep` bytes apart. */
export function copyRuns(from: usize, fromStep: usize, count: i32, bytes: usize, to: usize, toStep: usize): void {
  for (let i = 0; i < count; i++) { memory.copy(to, from, bytes); from += fromStep; to += toStep; }
}

/** out[n] (+)= sum over m of x[m,n]. */
export function columnSums(x: usize, ldx: i32, M: i32, N: i32, out: usize, accumulate: bool): void {
  const stride = <usize>ldx << 2;
  if (!accumulate) memory.fill(out, 0, <usize>N << 2);
  let n = 0;
  for (; n + 16 <= N; n += 16) {
    let p = x + (<usize>n << 2);
    const o = out + (<usize>n << 2);
    let a = v128.load(o), b = v128.load(o, 16), c = v128.load(o, 32), d = v128.load(o, 48);
    for (let m = 0; m < M; m++) {
      a = v128.add<f32>(a, v128.load(p));
      b = v128.add<f32>(b, v128.load(p, 16));
      c = v128.add<f32>(c, v128.load(p, 32));
      d = v128.add<f32>(d, v128.load(p, 48));
      p += stride;
    }
    v128.store(o, a); v128.store(o, b, 16); v128.store(o, c, 32); v128.store(o, d, 48);
  }
  for (; n < N; n++) {
    let p = x + (<usize>n << 2), sum = load<f32>(out + (<usize>n << 2));
    for (let m = 0; m < M; m++) { sum += load<f32>(p); p += stride; }
    store<f32>(out + (<usize>n << 2), sum);
  }
}

/** out[ids[i],:] += x[i,:] for M rows of N floats, in the order of i; ids outside [0, segments) are left out. */
export function segmentSum(x: usize, ids: usize, M: i32, N: i32, segments: i32, out: usize): void {
  const bytes = <usize>N << 2, whole = <usize>(N & ~3) << 2;
  for (let m = 0; m < M; m++) {
    const id = load<i32>(ids);
    if (<u32>id < <u32>segments) {
      const d = out + <usize>id * bytes;
      let o: usize = 0;
      for (; o < whole; o += 16) v128.store(d + o, v128.add<f32>(v128.load(d + o), v128.load(x + o)));
      for (; o < bytes; o += 4) store<f32>(d + o, load<f32>(d + o) + load<f32>(x + o));
    }
    ids += 4; x += bytes;
  }
}
