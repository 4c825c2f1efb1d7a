const every = 200; // ms

/** Items as they come, with their number on a terminal's standard error while there are many of them. */
export async function* counted<Item>(
  items: AsyncIterable<Item>,
  noun: string,
  stream: Pick<NodeJS.WriteStream, 'isTTY' | 'write'> = process.stderr,
): AsyncGenerator<Item> {
  if (!stream.isTTY) {
    yield* items;
    return;
  }
  const start = performance.now();
  let shownAt = start;
  let count = 0;
  try {
    for await (const item of items) {
      yield item;
      if (++count % 256 !== 0) continue;
      const now = performance.now();
      if (now - shownAt < every) continue;
      shownAt = now;
      const rate = Math.round((1000 * count) / (now - start));
      stream.write(`\r\u001b[2K${count.toLocaleString('en')} ${noun} · ${rate.toLocaleString('en')}/s`);
    }
  } finally {
    if (shownAt > start) stream.write('\r\u001b[2K');
  }
}
