import { PassThrough } from 'node:stream';
import { expect, test } from 'vitest';
import { jsonView } from './json-view.js';
import { lineView } from './line-view.js';
import { Pace } from './pace.js';
import { clock, type StepStatus } from './view.js';

const status: StepStatus = {
  step: 12,
  epoch: 2,
  loss: Math.log(8),
  tokensPerSecond: 12345.6,
  learningRate: 1e-3,
  done: 0.25,
  secondsLeft: 65,
};

test('a line tells loss, perplexity, speed, time left and memory, once in ten seconds', () => {
  const stream = new PassThrough();
  let time = 0;
  const view = lineView(stream, () => time);
  view.step(status);
  time = 9_000;
  view.step({ ...status, step: 13 });
  view.note('validation loss 1.2', {});
  time = 10_000;
  view.step({ ...status, step: 14 });
  const lines = String(stream.read()).trimEnd().split('\n');
  expect(lines).toHaveLength(3);
  expect(lines[0]).toMatch(
    /^ 25% · epoch 2 · step 12 · loss 2\.079 · ppl 8\.00 · 12,346 tokens\/s · 1:05 left · \d+ MB$/,
  );
  expect(lines[1]).toBe('validation loss 1.2');
  expect(lines[2]).toContain('step 14');
});

test('the log for machines is one JSON object a line', () => {
  const stream = new PassThrough();
  const view = jsonView(stream);
  view.step(status);
  view.note('for people', { type: 'validation', loss: 1 });
  const lines = String(stream.read())
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
  expect(lines).toMatchObject([
    { type: 'step', step: 12, loss: Math.log(8) },
    { type: 'validation', loss: 1 },
  ]);
});

test('time left follows the limit that comes first', () => {
  const pace = new Pace({ steps: 100, epochs: 2, seconds: 60 }, 30, 0);
  expect(pace.at(1, 1_000)).toEqual({ done: 1 / 60, secondsLeft: 59 });
  expect(pace.at(20, 10_000)).toEqual({ done: 20 / 60, secondsLeft: 20 });
  expect(new Pace({}, undefined, 0).at(5, 1_000)).toEqual({ done: undefined, secondsLeft: undefined });
});

test('after a resume the speed counts only the steps of this process', () => {
  const pace = new Pace({ steps: 1100 }, undefined, 0);
  expect(pace.at(1001, 1_000).secondsLeft).toBeCloseTo(99);
});

test('the smoothed loss begins at the first and follows the rest', () => {
  const pace = new Pace({}, undefined, 0);
  expect(pace.smooth(4)).toBe(4);
  for (let i = 0; i < 200; i++) pace.smooth(1);
  expect(pace.smooth(1)).toBeCloseTo(1, 2);
});

test.each([
  [0, '0:00'],
  [65.4, '1:05'],
  [3723, '1:02:03'],
])('%s seconds read %s', (seconds, text) => {
  expect(clock(seconds)).toBe(text);
});
