import { type Label, scoreLabel } from './bilingual.js';
import type { RunReport } from './run-report.js';

/** What the page's script draws: `columns[0]` is what runs across, mostly steps; one further column a series. */
export interface Chart {
  readonly title: Label;
  readonly across: Label;
  readonly series: readonly { readonly label: Label; readonly dots: boolean }[];
  readonly columns: readonly (readonly (number | null)[])[];
}

interface Line {
  readonly label: Label;
  readonly dots: boolean;
  readonly points: readonly (readonly [across: number, value: number])[];
}

const pointsShown = 600;

/** The curves of one run, or of several over each other. */
export function runCharts(runs: readonly RunReport[]): Chart[] {
  const named = (run: RunReport, { en, zh }: Label): Label =>
    runs.length === 1 ? { en, zh } : { en: `${run.name}: ${en}`, zh: `${run.name}：${zh}` };
  const lines = (make: (run: RunReport) => Line[]) =>
    runs.flatMap((run) => make(run).map((line) => ({ ...line, label: named(run, line.label) })));

  const loss = lines((run) => [
    {
      label: { en: 'training', zh: '训练' },
      dots: false,
      points: thin(run.steps.map(({ step, loss: value }) => [step, value])),
    },
    {
      label: { en: 'validation', zh: '验证' },
      dots: true,
      points: run.validations.map(({ step, loss: value }) => [step, value]),
    },
  ]);
  const rate = lines((run) => [
    {
      label: { en: 'learning rate', zh: '学习率' },
      dots: false,
      points: thin(run.steps.map(({ step, learningRate }) => [step, learningRate])),
    },
  ]);
  const scores = lines((run) => {
    const names = [...new Set(run.validations.flatMap((validation) => Object.keys(validation.scores)))];
    return names.map((name) => ({
      label: scoreLabel(name),
      dots: true,
      points: run.validations.flatMap(({ step, scores: all }) => (all[name] ? [[step, all[name].score] as const] : [])),
    }));
  });
  const norm = lines((run) => [
    {
      label: { en: 'gradient norm', zh: '梯度范数' },
      dots: false,
      points: thin(run.steps.map(({ step, gradientNorm }) => [step, gradientNorm])),
    },
  ]);
  const lengths = lines((run) =>
    (['source', 'target'] as const).map((side) => ({
      label: { source: { en: 'source', zh: '原文' }, target: { en: 'target', zh: '译文' } }[side],
      dots: false,
      points: run.lengths[side].map((count, length) => [length, count]),
    })),
  );
  return [
    chart({ en: 'Loss a token', zh: '每词元损失' }, loss),
    chart({ en: 'Scores on the validation part', zh: '验证集得分' }, scores),
    chart({ en: 'Learning rate', zh: '学习率' }, rate),
    chart({ en: 'Gradient norm before clipping', zh: '裁剪前梯度范数' }, norm),
    chart({ en: 'Lengths: training pairs with so many pieces', zh: '长度：各词元数的训练句对数' }, lengths, pieces),
  ].filter(({ columns }) => columns[0]!.length > 0);
}

/** Means of neighbours, so that no more points are drawn than can be seen. */
function thin(points: readonly (readonly [number, number])[]): (readonly [number, number])[] {
  const size = Math.ceil(points.length / pointsShown);
  const thinned: (readonly [number, number])[] = [];
  for (let start = 0; start < points.length; start += size) {
    const group = points.slice(start, start + size);
    thinned.push([group.at(-1)![0], group.reduce((sum, [, value]) => sum + value, 0) / group.length]);
  }
  return thinned;
}

const step: Label = { en: 'step', zh: '步' };
const pieces: Label = { en: 'pieces', zh: '词元' };

function chart(title: Label, lines: readonly Line[], across = step): Chart {
  const places = [...new Set(lines.flatMap(({ points }) => points.map(([place]) => place)))].sort((a, b) => a - b);
  const columns = lines.map(({ points }) => {
    const values = new Map(points);
    return places.map((place) => {
      const value = values.get(place);
      return value !== undefined && Number.isFinite(value) ? Number(value.toPrecision(6)) : null;
    });
  });
  return { title, across, series: lines.map(({ label, dots }) => ({ label, dots })), columns: [places, ...columns] };
}
