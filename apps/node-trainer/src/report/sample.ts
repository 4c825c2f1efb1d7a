import { attentionSvg, escapeXml } from '../attention-map/svg.js';
import { labelHtml } from './bilingual.js';
import type { SampleRecord, ValidationRecord } from './run-report.js';

const momentsShown = 6;

/** The samples of a run, each with its attention through time, so that one sees the alignment form. */
export function sampleCards(validations: readonly ValidationRecord[]): string[] {
  const last = validations.at(-1);
  if (last === undefined) return [];
  return last.samples.map((sample) => {
    const moments = validations.flatMap(({ step, samples }) => {
      const then = samples.find(({ source }) => source === sample.source);
      return then === undefined ? [] : [{ step, sample: then }];
    });
    return card(spread(moments, momentsShown));
  });
}

function card(moments: readonly { readonly step: number; readonly sample: SampleRecord }[]): string {
  const latest = moments.at(-1)!.sample;
  const slider =
    moments.length > 1
      ? `<div class="time"><span class="soft">${labelHtml({ en: 'through training', zh: '训练过程' })}</span><input type="range" min="0" max="${moments.length - 1}" value="${moments.length - 1}" aria-label="moment of training · 训练时刻"></div>`
      : '';
  return `<article class="sample">
<dl><dt>${labelHtml({ en: 'source', zh: '原文' })}</dt><dd dir="auto">${escapeXml(latest.source)}</dd>
<dt>${labelHtml({ en: 'reference', zh: '参考' })}</dt><dd dir="auto">${escapeXml(latest.reference)}</dd></dl>
${slider}
${moments.map(({ step, sample }, i) => moment(step, sample, i < moments.length - 1)).join('\n')}
</article>`;
}

function moment(step: number, { hypothesis, attention }: SampleRecord, hidden: boolean): string {
  const map = attention === null ? '' : `<div class="map">${attentionSvg(attention)}</div>`;
  return `<div class="moment"${hidden ? ' hidden' : ''}><dl><dt>${labelHtml({ en: `step ${step}`, zh: `第 ${step} 步` })}</dt><dd dir="auto"><b>${escapeXml(hypothesis)}</b></dd></dl>${map}</div>`;
}

/** At most `count` of the items, evenly spread, the first and the last among them. */
function spread<Item>(items: readonly Item[], count: number): Item[] {
  if (items.length <= count) return [...items];
  return Array.from({ length: count }, (_, i) => items[Math.round((i * (items.length - 1)) / (count - 1))]!);
}
