import { expect, test } from 'vitest';
import { humanDates } from './dates.js';

const parts = {
  train: [...humanDates('train', 1)],
  valid: [...humanDates('valid', 1)],
  test: [...humanDates('test', 1)],
};
const all = Object.values(parts).flat();

test('the parts have their sizes, and no text or day of one is in another', () => {
  expect([parts.train.length, parts.valid.length, parts.test.length]).toEqual([20_000, 1000, 1000]);
  expect(new Set(all.map(({ source }) => source)).size).toBe(all.length);
  for (const part of ['valid', 'test'] as const) {
    const held = new Set(parts[part].map(({ target }) => target));
    expect(held.size).toBe(1000);
    const others = Object.values(parts).filter((each) => each !== parts[part]);
    expect(others.flat().filter(({ target }) => held.has(target))).toEqual([]);
  }
});

test('targets are ISO dates of 1950 to 2049', () => {
  for (const { target } of all) {
    expect(target).toMatch(/^(19[5-9]|20[0-4])\d-\d\d-\d\d$/);
    expect(new Date(target).toISOString().slice(0, 10)).toBe(target);
  }
});

test('sources are written in many scripts and orders, each with the year in full', () => {
  const sources = all.map(({ source }) => source);
  expect(sources.filter((source) => /\p{Script=Cyrillic}/u.test(source)).length).toBeGreaterThan(500);
  expect(sources.filter((source) => /\p{Script=Han}/u.test(source)).length).toBeGreaterThan(500);
  expect(sources.filter((source) => /^[A-Z][a-z]+ \d+, \d{4}$/.test(source)).length).toBeGreaterThan(100);
  for (const { source, target } of all) expect(source).toContain(target.slice(0, 4));
});

test('a date in numbers alone has its year at one end, and the day before the month unless the year comes first', () => {
  const numeric = all.filter(({ source }) => /^[\d\s./-]+$/.test(source));
  expect(numeric.length).toBeGreaterThan(1000);
  for (const { source, target } of numeric) {
    const read = (source.match(/\d+/g) as string[]).map((part) => part.padStart(2, '0'));
    expect(((read[0] as string).length === 4 ? read : read.reverse()).join('-')).toBe(target);
  }
});

test('a seed gives the same pairs again', () => {
  expect([...humanDates('test', 1)]).toEqual(parts.test);
  expect([...humanDates('test', 2)]).not.toEqual(parts.test);
});
