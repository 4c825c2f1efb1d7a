// Rows of a matrix: fill with one row, repeat, sum down the columns, copy in part. Leading dimensions in elements.

/** Every row of c[M,N] = row. */
export function fillRows(c: usize, ldc: i32, M: i32, N: i32, row: usize): void {
  const bytes = <usize>N << 2;
  for (let m = 0; m < M; m++) { memory.copy(c, row, bytes); c += <usize>ldc << 2; }
}

/** `count` runs of `bytes` bytes each, `fromStep` bytes apart, to places `toStep` bytes apart. */
export function copyRuns(from: usize, fromStep: usize, count: i32, bytes: usize, to: usize, toStep: usize): void {
  for (let i = 0; i < count; i++) { memory.copy(to, from, bytes); from += fromStep; to += toStep; }
}

/** y[i] = block i of x, `times` times, for `count` blocks of `bytes` bytes: twice as many with each copy. */
export function repeatBlocks(x: usize, count: i32, bytes: usize, times: i32, y: usize): void {
  const whole = bytes * times;
  if (whole == 0) return;
  for (let i = 0; i < count; i++) {
    memory.copy(y, x, bytes);
    for (let done = bytes, next: usize = 0; done < whole; done += next) {
      next = min(done, whole - done);
      memory.copy(y + done, y, next);
    }
    x += bytes; y += whole;
  }
}

/** out[n] (+)= sum over m of x[m,n], four rows at a time, as they lie. */
export function columnSums(x: usize, ldx: i32, M: i32, N: i32, out: usize, accumulate: bool): void {
  const stride = <usize>ldx << 2, bytes = <usize>N << 2, whole = bytes & ~15;
  if (!accumulate) memory.fill(out, 0, bytes);
  let m = 0;
  for (; m + 4 <= M; m += 4) {
    const x1 = x + stride, x2 = x1 + stride, x3 = x2 + stride;
    let o: usize = 0;
    for (; o < whole; o += 16) {
      const sum = v128.add<f32>(v128.add<f32>(v128.load(x + o), v128.load(x1 + o)), v128.add<f32>(v128.load(x2 + o), v128.load(x3 + o)));
      v128.store(out + o, v128.add<f32>(v128.load(out + o), sum));
    }
    for (; o < bytes; o += 4) store<f32>(out + o, load<f32>(out + o) + ((load<f32>(x + o) + load<f32>(x1 + o)) + (load<f32>(x2 + o) + load<f32>(x3 + o))));
    x = x3 + stride;
  }
  for (; m < M; m++) {
    let o: usize = 0;
    for (; o < whole; o += 16) v128.store(out + o, v128.add<f32>(v128.load(out + o), v128.load(x + o)));
    for (; o < bytes; o += 4) store<f32>(out + o, load<f32>(out + o) + load<f32>(x + o));
    x += stride;
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
