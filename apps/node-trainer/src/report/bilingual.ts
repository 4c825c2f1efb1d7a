import { escapeXml } from '../attention-map/svg.js';

/** A label in both languages of the report; the page shows one of them. */
export interface Label {
  readonly en: string;
  readonly zh: string;
}

export function labelHtml({ en, zh }: Label): string {
  return `<span lang="en">${escapeXml(en)}</span><span lang="zh">${escapeXml(zh)}</span>`;
}

export const scoreLabels: Readonly<Record<string, Label>> = {
  loss: { en: 'loss', zh: '损失' },
  perplexity: { en: 'perplexity', zh: '困惑度' },
  accuracy: { en: 'token accuracy', zh: '词元准确率' },
  exactMatch: { en: 'exact match', zh: '完全一致' },
  bleu: { en: 'BLEU', zh: 'BLEU' },
  chrf: { en: 'chrF', zh: 'chrF' },
  ter: { en: 'TER', zh: 'TER' },
  wordErrorRate: { en: 'word error rate', zh: '词错误率' },
  phonemeErrorRate: { en: 'phoneme error rate', zh: '音素错误率' },
  wordErrorRateUnstressed: { en: 'word error rate without stress', zh: '词错误率（不计重音）' },
  phonemeErrorRateUnstressed: { en: 'phoneme error rate without stress', zh: '音素错误率（不计重音）' },
};

export function scoreLabel(name: string): Label {
  return scoreLabels[name] ?? { en: name, zh: name };
}
