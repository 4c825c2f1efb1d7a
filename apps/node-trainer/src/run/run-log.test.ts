import { appendFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../testing/temporary-folder.js';
import { type LogEntry, RunLog } from './run-log.js';

const entry = (step: number): LogEntry => ({
  type: 'step',
  step,
  epoch: 0,
  loss: 1,
  learningRate: 1,
  tokensPerSecond: 1,
  gradientNorm: 1,
});

async function steps(log: RunLog): Promise<number[]> {
  const found: number[] = [];
  for await (const read of log.read()) if (read.type === 'step') found.push(read.step);
  return found;
}

test('what was logged after the step of a checkpoint is forgotten, a line that a crash cut short too', async () => {
  const log = new RunLog(temporaryFolder('log 日志-'));
  expect(await steps(log)).toEqual([]);
  for (let step = 1; step <= 5; step++) log.add(entry(step));
  log.flush();
  appendFileSync(log.path, '{"type":"step","st');
  expect(await steps(log)).toEqual([1, 2, 3, 4, 5]);
  await log.rewind(3);
  log.add(entry(4));
  log.flush();
  expect(await steps(log)).toEqual([1, 2, 3, 4]);
});
