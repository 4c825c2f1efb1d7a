import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, expect, test, vi } from 'vitest';
import { temporaryFolder } from '../testing/temporary-folder.js';
import { showReading } from './reading.js';
import { showWork } from './work-progress.js';

const folder = temporaryFolder('seqloom reading-');
const file = path.join(folder, 'lines.txt');
writeFileSync(file, 'x'.repeat(50_000));

afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllEnvs();
});

function terminal(isTTY: boolean) {
  vi.stubEnv('CI', '');
  let clock = 0;
  vi.spyOn(performance, 'now').mockImplementation(() => (clock += 1000));
  vi.spyOn(Date, 'now').mockImplementation(() => (clock += 1000));
  let drawn = '';
  const write = (text: string) => {
    drawn += text;
    return true;
  };
  return { stream: { isTTY, columns: 120, write } as unknown as NodeJS.WriteStream, drawn: () => drawn };
}

async function read(files: string[], isTTY: boolean, quiet = false) {
  const { stream, drawn } = terminal(isTTY);
  const reading = showReading(files, { noun: 'pairs', quiet }, stream);
  async function* numbers() {
    for (let i = 0; i < 500; i++) {
      reading.onRead(100);
      yield i;
    }
  }
  const items: number[] = [];
  for await (const item of reading.count(numbers())) items.push(item);
  expect(items).toEqual(Array.from({ length: 500 }, (_, i) => i));
  return drawn();
}

test('a terminal sees a bar with percentage, count, speed and time left', async () => {
  const drawn = await read([file], true);
  expect(drawn).toMatch(/[█░]+ 50% · 2\d\d pairs · [\d,]+\/s · \d+:\d\d left/);
});

test('where a size is unknown, the count and the speed', async () => {
  const drawn = await read([file, path.join(folder, 'missing')], true);
  expect(drawn).toMatch(/4\d\d pairs · [\d,]+\/s/);
  expect(drawn).not.toMatch(/%|█|left/);
});

test('elsewhere, or where it is not wanted, nothing is written', async () => {
  expect(await read([file], false)).toBe('');
  expect(await read([file], true, true)).toBe('');
});

test('short work shows nothing', () => {
  const { stream, drawn } = terminal(true);
  vi.spyOn(performance, 'now').mockReturnValue(0);
  const progress = showWork({ noun: 'lines', total: 10 }, stream);
  progress.advance(5);
  progress.stop();
  expect(drawn()).toBe('');
});
