import { expect, test } from 'vitest';
import { runCharts } from './charts.js';
import { reportPage } from './page.js';
import type { RunReport } from './run-report.js';

function run(name: string, changes: Partial<RunReport> = {}): RunReport {
  const map = { source: ['欢迎', '</script><b>'], target: ['Welcome'], weights: [[0.9, 0.1]] };
  const steps = Array.from({ length: 3000 }, (_, i) => ({
    step: i + 1,
    epoch: 0,
    loss: 3000 - i,
    learningRate: 0.001,
    tokensPerSecond: 1,
    gradientNorm: i === 7 ? Number.POSITIVE_INFINITY : 1,
  }));
  const validations = Array.from({ length: 20 }, (_, i) => ({
    step: 150 * (i + 1),
    epoch: i,
    loss: 1,
    accuracy: 50,
    scores: { bleu: { score: i, signature: 'nrefs:1' } },
    samples: [{ source: '欢迎', reference: 'Welcome', hypothesis: `<i>${i}</i>`, attention: map }],
  }));
  return {
    name,
    steps,
    validations,
    results: { test: { bleu: { score: 31.5, signature: 'nrefs:1|tok:zh' } } },
    lengths: { source: [0, 3, 2], target: [0, 5] },
    facts: [],
    config: 'seed: 1\n',
    ...changes,
  };
}

test('text of the data is text on the page', () => {
  const page = reportPage([run('<script>alert(1)</script>')]);
  expect(page).not.toContain('<script>alert');
  expect(page).not.toContain('</script><b>');
  expect(page).not.toContain('<i>19</i>');
  expect(page).toContain('&lt;i&gt;19&lt;/i&gt;');
});

test('both languages are there, scores with their signatures', () => {
  const page = reportPage([run('a')]);
  for (const text of ['Curves', '曲线', 'nrefs:1|tok:zh', '31.50']) expect(page).toContain(text);
});

test('a sample is shown through training: some moments, the first and the last among them', () => {
  const page = reportPage([run('a')]);
  const moments = [...page.matchAll(/<div class="moment"( hidden)?><dl><dt><span lang="en">step (\d+)/g)];
  expect(moments.map((match) => Number(match[2]))).toEqual([150, 750, 1350, 1800, 2400, 3000]);
  expect(moments.filter((match) => match[1] === undefined)).toHaveLength(1);
});

test('a long run is drawn with few points that keep its mean; what is not finite is a gap', () => {
  const [loss, , , norm] = runCharts([run('a')]);
  const drawn = loss!.columns[1]!.filter((value) => value !== null);
  expect(drawn.length).toBeLessThanOrEqual(600);
  expect(drawn.reduce((sum, value) => sum + value, 0) / drawn.length).toBeCloseTo(1500.5);
  expect(norm!.columns[1]).toContain(null);
});

test('runs are compared over each other, each under its name', () => {
  const [loss] = runCharts([run('a'), run('b')]);
  expect(loss!.series.map(({ label }) => label.en)).toEqual([
    'a: training',
    'a: validation',
    'b: training',
    'b: validation',
  ]);
});

test('a run that has only begun has a page too', () => {
  const page = reportPage([run('a', { steps: [], validations: [], results: {} })]);
  expect(page).toContain('seed: 1');
  expect(page).not.toContain('id="chart-1"'); // its lengths are known
});

test('lengths are drawn as they were counted', () => {
  const lengths = runCharts([run('a')]).at(-1)!;
  expect(lengths.across.en).toBe('pieces');
  expect(lengths.series.map(({ label }) => label.en)).toEqual(['source', 'target']);
  expect(lengths.columns).toEqual([
    [0, 1, 2],
    [0, 3, 2],
    [0, 5, null],
  ]);
  const old = runCharts([run('a', { lengths: { source: [], target: [] } })]);
  expect(old.map(({ title }) => title.en)).not.toContain(lengths.title.en);
});

test('scores of several runs stand side by side; what one lacks is a dash, signatures that differ are both shown', () => {
  const other = { test: { bleu: { score: 40, signature: 'nrefs:1|tok:13a' }, chrf: { score: 55.5 } } };
  const page = reportPage([run('a'), run('b', { results: other })]);
  const cells = (row: string) => [...row.matchAll(/<td[^>]*>(.*?)<\/td>/g)].slice(2).map((match) => match[1]);
  const rows = [...page.matchAll(/<tr><td>.*?<\/tr>/g)].map(([row]) => cells(row));
  expect(rows).toEqual([
    ['31.50', '40.00', 'nrefs:1|tok:zh<br>nrefs:1|tok:13a'],
    ['–', '55.50', ''],
  ]);
});
