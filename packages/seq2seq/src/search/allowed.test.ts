import { expect, test } from 'vitest';
import { restrict } from './allowed.js';
import { type Path, rootPath } from './hypothesis.js';
import { type SearchOptions, searchSettings } from './options.js';

const ids = { padId: 0, unkId: 1, bosId: 2, eosId: 3 };
const after = (...tokens: number[]): Path =>
  tokens.reduce<Path>(
    (parent, token) => ({ parent, token, logProbability: -1, total: 0, length: parent.length + 1, attention: null }),
    rootPath(2),
  );
const scores = () => Float32Array.of(-1, -2, -1, -3, -2, -3, -4);
function restricted(path: Path, options: SearchOptions): number[] {
  const row = scores();
  restrict(row, path, searchSettings(options), ids);
  return [...row];
}
const allowed = (row: number[]) => [...row.keys()].filter((token) => row[token] !== -Infinity);

test('padding and <bos> never come', () => {
  expect(allowed(restricted(after(), {}))).toEqual([1, 3, 4, 5, 6]);
});

test('<eos> waits for minLength', () => {
  expect(allowed(restricted(after(4), { minLength: 2 }))).not.toContain(3);
  expect(allowed(restricted(after(4, 5), { minLength: 2 }))).toContain(3);
});

test('<unk> can be ruled out', () => {
  expect(allowed(restricted(after(), { allowUnknown: false }))).toEqual([3, 4, 5, 6]);
});

test('no n-gram comes twice', () => {
  expect(allowed(restricted(after(4, 5, 6, 4, 5), { noRepeatNgram: 3 }))).toEqual([1, 3, 4, 5]);
  expect(allowed(restricted(after(4, 5), { noRepeatNgram: 1 }))).toEqual([1, 3, 6]);
  expect(allowed(restricted(after(4, 5), { noRepeatNgram: 3 }))).toEqual([1, 3, 4, 5, 6]);
});

test('what occurred already costs more', () => {
  expect(restricted(after(4, 4), { repetitionPenalty: 1.5 })).toEqual([-Infinity, -2, -Infinity, -3, -3, -3, -4]);
});

test('the prefix comes first, whatever else is ruled out', () => {
  const options = { prefix: [5, 5], noRepeatNgram: 1, minLength: 3 };
  expect(allowed(restricted(after(5), options))).toEqual([5]);
  expect(allowed(restricted(after(5, 5), options))).toEqual([1, 4, 6]);
});

test('where nothing is left, <eos> ends it', () => {
  const row = restricted(after(1, 4, 5, 6), { noRepeatNgram: 1, minLength: 9 });
  expect(allowed(row)).toEqual([3]);
});
