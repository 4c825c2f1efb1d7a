import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { escapeXml } from '../attention-map/svg.js';
import { type Label, labelHtml, scoreLabel } from './bilingual.js';
import { runCharts } from './charts.js';
import type { RunReport, ScoreRecord } from './run-report.js';
import { sampleCards } from './sample.js';

/** One self-contained page about a run, or about several compared: it opens from disk and asks the network for nothing. */
export function reportPage(runs: readonly RunReport[]): string {
  const charts = runCharts(runs);
  const title = runs.map(({ name }) => name).join(' · ');
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; img-src data:">
<title>${escapeXml(title)} – Seqloom</title>
<style>${npmFile('uplot/dist/uPlot.min.css')}\n${asset('report.css')}</style>
<body>
<header><div><h1>${escapeXml(title)}</h1><span class="soft">${labelHtml({ en: 'Training report · Seqloom', zh: '训练报告 · Seqloom' })}</span></div><button id="language" type="button"><span lang="en">中文</span><span lang="zh">English</span></button></header>
<main>
${runs.length === 1 ? tiles(runs[0]!) : ''}
${section({ en: 'Scores', zh: '得分' }, scoreTable(runs))}
${section({ en: 'Curves', zh: '曲线' }, charts.length === 0 ? '' : `<div class="charts">${charts.map(({ title: name }, i) => `<div class="chart"><h3>${labelHtml(name)}</h3><div id="chart-${i}"></div></div>`).join('\n')}</div>`)}
${runs.map((run) => samplesSection(run, runs.length > 1)).join('\n')}
${runs.map((run) => aboutSection(run, runs.length > 1)).join('\n')}
</main>
<script type="application/json" id="data">${JSON.stringify({ charts }).replaceAll('<', '\\u003c')}</script>
<script>${npmFile('uplot/dist/uPlot.iife.min.js')}</script>
<script>${asset('report.js')}</script>
</body>
</html>
`;
}

function section(title: Label, body: string): string {
  return body === '' ? '' : `<section><h2>${labelHtml(title)}</h2>\n${body}</section>`;
}

function tiles(run: RunReport): string {
  const results = run.results.test ?? run.results.valid ?? {};
  const scores = Object.entries(results).map(([name, { score }]) => tile(scoreLabel(name), formatScore(score)));
  return `<ul class="tiles">${scores.join('')}</ul>`;
}

function tile(label: Label, value: string): string {
  return `<li><span class="soft">${labelHtml(label)}</span><b>${escapeXml(value)}</b></li>`;
}

/** A row a score; several runs stand side by side. */
function scoreTable(runs: readonly RunReport[]): string {
  const rows = new Map<string, { part: string; name: string }>();
  for (const { results } of runs) {
    for (const [part, scores] of Object.entries(results))
      for (const name of Object.keys(scores)) rows.set(`${part} ${name}`, { part, name });
  }
  if (rows.size === 0) return '';
  const value = { en: 'value', zh: '数值' };
  const head = [
    { en: 'part', zh: '部分' },
    { en: 'score', zh: '指标' },
    ...(runs.length === 1 ? [value] : runs.map(({ name }) => ({ en: name, zh: name }))),
    { en: 'signature', zh: '签名' },
  ];
  const body = [...rows.values()].map(({ part, name }) =>
    scoreRow(
      part,
      name,
      runs.map(({ results }) => results[part]?.[name]),
    ),
  );
  return `<div class="scroll"><table><thead><tr>${head.map((label) => `<th>${labelHtml(label)}</th>`).join('')}</tr></thead><tbody>${body.join('')}</tbody></table></div>`;
}

const partLabels: Readonly<Record<string, Label>> = {
  test: { en: 'test', zh: '测试' },
  valid: { en: 'validation', zh: '验证' },
};

function scoreRow(part: string, name: string, records: readonly (ScoreRecord | undefined)[]): string {
  const values = records.map((record) => `<td>${record === undefined ? '–' : formatScore(record.score)}</td>`).join('');
  const signatures = [...new Set(records.flatMap((record) => record?.signature ?? []))].map(escapeXml).join('<br>');
  return `<tr><td>${labelHtml(partLabels[part] ?? { en: part, zh: part })}</td><td>${labelHtml(scoreLabel(name))}</td>${values}<td class="signature">${signatures}</td></tr>`;
}

function samplesSection(run: RunReport, named: boolean): string {
  const cards = sampleCards(run.validations);
  const suffix = named ? ` – ${run.name}` : '';
  const note = `<p class="soft">${labelHtml({
    en: 'What the model looked at: target pieces down, source pieces across; each row sums to one. Point at a cell for its value.',
    zh: '模型的注意力：行为译文片段，列为原文片段，每行之和为一；指向格子可见数值。',
  })}</p>`;
  return section(
    { en: `Samples${suffix}`, zh: `样例${suffix}` },
    cards.length === 0 ? '' : `${note}<div class="samples">${cards.join('\n')}</div>`,
  );
}

function aboutSection(run: RunReport, named: boolean): string {
  const facts = run.facts
    .map(({ label, value }) => `<dt>${labelHtml(label)}</dt><dd>${escapeXml(value)}</dd>`)
    .join('');
  const config = `<details><summary>${labelHtml({ en: 'configuration', zh: '配置' })}</summary><pre>${escapeXml(run.config)}</pre></details>`;
  const suffix = named ? ` – ${run.name}` : '';
  return section({ en: `Run${suffix}`, zh: `运行${suffix}` }, `<dl class="facts">${facts}</dl>${config}`);
}

function formatScore(score: number): string {
  return Math.abs(score) >= 10 ? score.toFixed(2) : score.toFixed(4);
}

function asset(name: string): string {
  return readFileSync(new URL(`../../assets/${name}`, import.meta.url), 'utf8');
}

function npmFile(name: string): string {
  return readFileSync(createRequire(import.meta.url).resolve(name), 'utf8');
}
