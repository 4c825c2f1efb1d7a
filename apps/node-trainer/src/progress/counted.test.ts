import { expect, test, vi } from 'vitest';
import { counted } from './counted.js';

async function* numbers() {
  for (let i = 0; i < 5000; i++) yield i;
}

async function read(isTTY: boolean) {
  const now = vi.spyOn(performance, 'now');
  let clock = 0;
  now.mockImplementation(() => (clock += 300));
  let drawn = '';
  const write = (text: string) => {
    drawn += text;
    return true;
  };
  const items: number[] = [];
  for await (const item of counted(numbers(), 'pairs', { isTTY, write })) items.push(item);
  now.mockRestore();
  return { items, drawn };
}

test('a terminal sees the count and is clean in the end; the items pass as they are', async () => {
  const { items, drawn } = await read(true);
  expect(items).toEqual(Array.from({ length: 5000 }, (_, i) => i));
  expect(drawn.endsWith('\r\u001b[2K')).toBe(true);
  expect(drawn).toMatch(/4,\d{3} pairs · [\d,]+\/s/);
});

test('elsewhere nothing is written', async () => {
  expect((await read(false)).drawn).toBe('');
});
