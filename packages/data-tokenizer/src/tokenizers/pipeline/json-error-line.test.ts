import fc from 'fast-check';
import { expect, test } from 'vitest';
import { jsonErrorLine } from './json-error-line.js';

const file = { model: { type: 'BPE', vocab: { a: 0, 'b"\\\u2028': 1.5e3 }, merges: [['a', 'b'], [], {}, null, true] } };
const text = JSON.stringify(file, null, 1);
const lines = text.split('\n');

test('a line that was damaged is named, whichever it is', () => {
  // A stray brace in front of any line but the first can stand nowhere.
  for (let i = 1; i < lines.length; i++) {
    const damaged = lines.with(i, `}{${lines[i]}`).join('\n');
    expect(() => JSON.parse(damaged)).toThrow();
    expect(jsonErrorLine(damaged)).toBe(i + 1);
  }
});

test('a file that was cut short ends on its last line', () => {
  for (let count = 1; count < lines.length; count++)
    expect(jsonErrorLine(lines.slice(0, count).join('\n'))).toBe(count);
  expect(jsonErrorLine('')).toBe(1);
});

test('whatever is JSON is read to its end, so that no error is found before it', () => {
  fc.assert(
    fc.property(fc.json(), (json) => {
      expect(jsonErrorLine(`${json}\n\n?`)).toBe(`${json}\n\n?`.split('\n').length);
    }),
    { seed: 4, numRuns: 500 },
  );
});

test('a megabyte that was cut inside a string costs no time', () => {
  const started = performance.now();
  expect(jsonErrorLine(`{\n"a": "${'long text '.repeat(100_000)}`)).toBe(2);
  expect(performance.now() - started).toBeLessThan(1000);
});
