import { expect, test } from 'vitest';
import type { Failure } from './failure.js';
import { failureInChinese, failureInEnglish } from './failure-sentences.js';

const there = { file: 'a.json', folder: 'mine' };
const said = 'no such luck';

// One of every code, or this does not compile.
const FAILURES: { [Code in Failure['code']]: Extract<Failure, { code: Code }> } = {
  'no-files': { code: 'no-files' },
  'no-model': { code: 'no-model', folder: 'mine' },
  'several-models': { code: 'several-models', folder: 'mine', count: 2, names: ['one', 'two'] },
  'too-large': { code: 'too-large', file: 'a.json', most: 11, bytes: 12 },
  'bad-zip': { code: 'bad-zip', file: 'a.zip' },
  unreadable: { code: 'unreadable', ...there, said },
  'no-crypto': { code: 'no-crypto' },
  'bad-folder': { code: 'bad-folder', about: { defect: 'missing', ...there } },
  'bad-model': { code: 'bad-model', folder: 'mine', said },
  'wrong-pieces': { code: 'wrong-pieces', ...there, expected: 11, pieces: 12 },
  unreachable: { code: 'unreachable', url: 'https://example.org/', said },
  'bad-corpus': { code: 'bad-corpus', file: 'a.tsv', said },
  'too-few-pairs': { code: 'too-few-pairs', file: 'a.tsv', least: 11, pairs: 10 },
  'one-source': { code: 'one-source', file: 'a.tsv' },
  'long-pairs': { code: 'long-pairs', file: 'a.tsv', most: 11 },
  diverged: { code: 'diverged', step: 11, loss: 1234.5 },
  exhausted: { code: 'exhausted', said },
  'worker-lost': { code: 'worker-lost', said },
  'not-copied': { code: 'not-copied', said },
  'not-saved': { code: 'not-saved', file: 'a.png', said },
  unexpected: { code: 'unexpected', said },
};

const failures: Failure[] = [
  ...Object.values(FAILURES),
  { code: 'bad-folder', about: { defect: 'not-json', ...there, bytes: 11 } },
  { code: 'bad-folder', about: { defect: 'size', ...there, expected: 12, bytes: 11 } },
  { code: 'bad-folder', about: { defect: 'checksum', ...there } },
  { code: 'bad-folder', about: { defect: 'too-many-weights', ...there, bytes: 11 } },
];

/** The values of a failure, those within values too. */
function valuesOf(value: unknown): string[] {
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(valuesOf) : [String(value)];
}

test.each(failures)('$code: one sentence in each language, with every value', (failure) => {
  const { code, ...values } = failure;
  const [english, chinese] = [failureInEnglish(failure), failureInChinese(failure)];
  const kinds = ['missing', 'not-json', 'size', 'checksum', 'too-many-weights'];
  for (const value of valuesOf(values).filter((value) => !kinds.includes(value))) {
    expect(english).toContain(value);
    expect(chinese).toContain(value);
  }
  expect(english).toMatch(/^[\x20-\x7e]+[^.]\.$/);
  expect(chinese).toMatch(/^[^。]*\p{Script=Han}[^。]*。$/u);
});

test('a worker that says nothing of its end is told without a quotation', () => {
  expect(failureInEnglish({ code: 'worker-lost', said: '' })).toBe('The worker could not start, or broke down.');
  expect(failureInChinese({ code: 'worker-lost', said: '' })).toBe('worker 没能启动，或者中途崩溃了。');
});
