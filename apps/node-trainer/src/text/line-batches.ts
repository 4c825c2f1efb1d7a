import { setImmediate } from 'node:timers/promises';

/**
 * Groups what comes line by line: as many as are there already, at most `size`. A pipe that waits for each answer before
 * it sends the next line gets it, and a file is still handled in large groups.
 */
export async function* lineBatches(
  lines: AsyncIterator<string, void, undefined>,
  size: number,
): AsyncGenerator<string[]> {
  let next = lines.next();
  for (let first = await next; !first.done; first = await next) {
    const group = [first.value];
    next = lines.next();
    while (group.length < size) {
      const soon = await Promise.race([next, setImmediate(undefined)]);
      if (soon === undefined || soon.done) break;
      group.push(soon.value);
      next = lines.next();
    }
    yield group;
  }
}
