import { expect, test } from 'vitest';
import { lineBatches } from './line-batches.js';

async function* all(lines: readonly string[]) {
  yield* lines;
}

async function collect(batches: AsyncIterable<string[]>): Promise<string[][]> {
  const collected: string[][] = [];
  for await (const batch of batches) collected.push(batch);
  return collected;
}

test('what is there is grouped, nothing is lost or reordered, blank lines included', async () => {
  const lines = ['a', '', 'b', 'c', '', 'd', 'e'];
  expect(await collect(lineBatches(all(lines), 3))).toEqual([['a', '', 'b'], ['c', '', 'd'], ['e']]);
  expect(await collect(lineBatches(all([]), 3))).toEqual([]);
});

test('a line is handed on although the next has not come', async () => {
  let send = (_: string) => {};
  const second = new Promise<string>((resolve) => {
    send = resolve;
  });
  const batches = lineBatches(
    (async function* () {
      yield 'first';
      yield await second;
    })(),
    8,
  );
  expect((await batches.next()).value).toEqual(['first']);
  send('second');
  expect((await batches.next()).value).toEqual(['second']);
  expect((await batches.next()).done).toBe(true);
});
