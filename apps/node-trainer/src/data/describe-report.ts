import type { CorpusReport, Tally } from '@seqloom/data-tokenizer';

const meanings: Readonly<Record<string, string>> = {
  blank: 'a blank side',
  'missing-column': 'a column is missing',
  malformed: 'the row cannot be read',
  'invalid-utf8': 'invalid UTF-8',
  nul: 'a NUL byte',
  'line-too-long': 'the line is too long',
  'too-long': 'a side is too long',
  'length-ratio': 'the lengths differ too much',
  identical: 'both sides are equal',
  duplicate: 'the pair came before',
  replaced: 'bad bytes were replaced by U+FFFD',
  mojibake: 'looks like UTF-8 that was encoded twice',
};

/** How many pairs were read, kept, and dropped for which reason on which lines. */
export function describeReport(report: CorpusReport): string {
  const lines = [`${count(report.read)} pairs read, ${count(report.kept)} kept`];
  if (report.header !== undefined) lines.push(`header: ${report.header.join(', ')}`);
  for (const [reason, tally] of Object.entries(report.dropped)) lines.push(`dropped ${describe(reason, tally)}`);
  for (const [warning, tally] of Object.entries(report.warnings)) lines.push(`look at ${describe(warning, tally)}`);
  return lines.join('\n');
}

function describe(reason: string, { count: times, firstLines }: Tally): string {
  const more = times > firstLines.length ? ', …' : '';
  return `${count(times)}: ${meanings[reason] ?? reason} (line ${firstLines.join(', ')}${more})`;
}

function count(value: number): string {
  return value.toLocaleString('en');
}
