// Rows of a table by id, and their gradient. Ids are in range: the op checks them.

/** out[i,:] = table[ids[i],:] for n ids and rows of E floats, those of `out` ldOut floats apart. */
export function gatherRows(table: usize, ids: usize, n: i32, E: i32, out: usize, ldOut: i32): void {
  const bytes = <usize>E << 2, stride = <usize>ldOut << 2;
  for (let i = 0; i < n; i++) {
    memory.copy(out, table + <usize>load<i32>(ids) * bytes, bytes);
    ids += 4; out += stride;
  }
}

/** table[ids[i],:] += rows[i,:] of E floats each, those of `rows` ldRows floats apart, in the order of i; ids equal to `skip` are left out (-1 skips none). */
export function scatterAddRows(rows: usize, ldRows: i32, ids: usize, n: i32, E: i32, skip: i32, table: usize): void {
  const bytes = <usize>E << 2, stride = <usize>ldRows << 2, whole = <usize>(E & ~3) << 2;
  for (let i = 0; i < n; i++) {
    const id = load<i32>(ids);
    if (id != skip) {
      const d = table + <usize>id * bytes;
      let o: usize = 0;
      for (; o < whole; o += 16) v128.store(d + o, v128.add<f32>(v128.load(d + o), v128.load(rows + o)));
      for (; o < bytes; o += 4) store<f32>(d + o, load<f32>(d + o) + load<f32>(rows + o));
    }
    ids += 4; rows += stride;
  }
}

/** n floats = 0. */
export function zeroFill(x: usize, n: i32): void { memory.fill(x, 0, <usize>n << 2); }
