import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { InputError } from '../errors.js';
import { clock } from '../progress/view.js';
import { RunLog, type StartRecord } from '../run/run-log.js';
import type { RunMetrics } from '../run/run-metrics.js';
import type { RunReport, ScoreRecord, StepRecord, ValidationRecord } from './run-report.js';

/** Collects what a run's folder tells about it. */
export async function readRun(folder: string): Promise<RunReport> {
  const config = await readFile(path.join(folder, 'recipe.yaml'), 'utf8').catch(() => undefined);
  if (config === undefined) throw new InputError('no run is here: recipe.yaml is missing', { file: folder });
  const steps: StepRecord[] = [];
  const validations: ValidationRecord[] = [];
  let start: StartRecord | undefined;
  let seconds = 0;
  for await (const entry of new RunLog(folder).read()) {
    if (entry.type === 'start') start = entry;
    else if (entry.type === 'step') steps.push(entry);
    else if (entry.type === 'validation') validations.push(entry);
    else seconds += entry.seconds;
  }
  const metrics = await readMetrics(folder);
  return {
    name: path.basename(path.resolve(folder)),
    steps,
    validations,
    results: resultsOf(metrics),
    lengths: start?.lengths ?? { source: [], target: [] },
    facts: factsOf(start, steps, seconds, metrics),
    config,
  };
}

async function readMetrics(folder: string): Promise<RunMetrics | undefined> {
  const text = await readFile(path.join(folder, 'metrics.json'), 'utf8').catch(() => undefined);
  return text === undefined ? undefined : (JSON.parse(text) as RunMetrics);
}

function resultsOf(metrics: RunMetrics | undefined): RunReport['results'] {
  const parts = Object.entries({ test: metrics?.test, valid: metrics?.valid }).filter(([, part]) => part !== undefined);
  return Object.fromEntries(
    parts.map(([name, part]) => {
      const { signatures = {}, ...scores } = part as { signatures?: Record<string, string> } & Record<string, number>;
      const records = Object.entries(scores).map(([key, score]): [string, ScoreRecord] => {
        const signature = signatures[key];
        return [key, signature === undefined ? { score } : { score, signature }];
      });
      return [name, Object.fromEntries(records)];
    }),
  );
}

function factsOf(
  start: StartRecord | undefined,
  steps: readonly StepRecord[],
  seconds: number,
  metrics: RunMetrics | undefined,
): RunReport['facts'] {
  if (start === undefined) return [];
  const { pairs, vocabulary, meanPieces } = start;
  const number = (value: number) => value.toLocaleString('en', { maximumFractionDigits: 1 });
  const last = steps.at(-1);
  return [
    { label: { en: 'parameters', zh: '参数' }, value: number(start.parameters) },
    {
      label: { en: 'pairs', zh: '句对' },
      value: `${number(pairs.train)} / ${number(pairs.valid)} / ${number(pairs.test)}`,
    },
    { label: { en: 'vocabularies', zh: '词表' }, value: `${number(vocabulary.source)} → ${number(vocabulary.target)}` },
    {
      label: { en: 'pieces a sentence', zh: '每句词元' },
      value: `${number(meanPieces.source)} → ${number(meanPieces.target)}`,
    },
    { label: { en: 'padding in batches', zh: '批内填充' }, value: `${number(100 * start.paddingWaste)} %` },
    ...(last === undefined
      ? []
      : [{ label: { en: 'steps', zh: '步数' }, value: `${number(last.step)} (epoch ${last.epoch + 1})` }]),
    { label: { en: 'time', zh: '用时' }, value: clock(metrics?.seconds ?? seconds) },
    ...(metrics === undefined
      ? []
      : [{ label: { en: 'target tokens a second', zh: '每秒目标词元' }, value: number(metrics.tokensPerSecond) }]),
    {
      label: { en: 'backend', zh: '后端' },
      value: `${start.backend}, ${start.workers} ${start.workers === 1 ? 'worker' : 'workers'}`,
    },
    { label: { en: 'machine', zh: '机器' }, value: start.machine },
  ];
}
