import type { LineDefect } from './lines.js';

/** Why a pair was left out. */
export type DropReason =
  | LineDefect
  | 'blank'
  | 'missing-column'
  | 'malformed'
  | 'too-long'
  | 'length-ratio'
  | 'identical'
  | 'duplicate';

/** What was kept but deserves a look: text mended with U+FFFD, or UTF-8 that was encoded twice. */
export type CorpusWarning = 'replaced' | 'mojibake';

/** How often something happened, and where first. */
export interface Tally {
  readonly count: number;
  /** The first lines (at most five) it happened on. */
  readonly firstLines: readonly number[];
}

/** What one pass over a corpus met. `read = kept + the sum of dropped`; a header row is in neither. */
export interface CorpusReport {
  readonly read: number;
  readonly kept: number;
  readonly dropped: { readonly [reason in DropReason]?: Tally };
  readonly warnings: { readonly [warning in CorpusWarning]?: Tally };
  /** The header row's cells, where there was one. */
  readonly header: readonly string[] | undefined;
}

interface MutableTally {
  count: number;
  firstLines: number[];
}

const shownLines = 5;

/** Counts during a pass; `toReport` takes a snapshot. */
export class ReportBuilder {
  read = 0;
  kept = 0;
  header: readonly string[] | undefined;
  readonly #dropped = new Map<DropReason, MutableTally>();
  readonly #warnings = new Map<CorpusWarning, MutableTally>();

  drop(reason: DropReason, line: number): void {
    add(this.#dropped, reason, line);
  }

  warn(warning: CorpusWarning, line: number): void {
    add(this.#warnings, warning, line);
  }

  toReport(): CorpusReport {
    const { read, kept, header } = this;
    return { read, kept, dropped: snapshot(this.#dropped), warnings: snapshot(this.#warnings), header };
  }
}

function add<Key>(tallies: Map<Key, MutableTally>, key: Key, line: number): void {
  let tally = tallies.get(key);
  if (tally === undefined) {
    tally = { count: 0, firstLines: [] };
    tallies.set(key, tally);
  }
  tally.count++;
  if (tally.firstLines.length < shownLines && tally.firstLines.at(-1) !== line) tally.firstLines.push(line);
}

function snapshot<Key extends string>(tallies: Map<Key, MutableTally>): { [key in Key]?: Tally } {
  const entries = [...tallies].map(([key, { count, firstLines }]) => [key, { count, firstLines: [...firstLines] }]);
  return Object.fromEntries(entries) as { [key in Key]?: Tally };
}

const dropClauses: { readonly [reason in DropReason]: string } = {
  'invalid-utf8': 'not UTF-8',
  nul: 'with a NUL byte',
  'line-too-long': 'longer than a line may be',
  blank: 'blank on one side or both',
  'missing-column': 'without the wanted columns',
  malformed: 'malformed',
  'too-long': 'with too long a side',
  'length-ratio': 'with sides of too different lengths',
  identical: 'with equal sides',
  duplicate: 'that came before',
};

const warningClauses: { readonly [warning in CorpusWarning]: string } = {
  replaced: 'mended: U+FFFD stands for what was not UTF-8 or NUL',
  mojibake:
    'look like UTF-8 that was read as Windows-1252 and encoded again (the normalization step mojibake repairs it)',
};

/**
 * A report in words, a line for each thing met.
 *
 * @example
 * ```ts
 * const corpus = openCorpus(new Blob(['Hi.\t你好\n\nBye.\t\n']));
 * for await (const pair of corpus) pair;
 * for (const line of describeReport(corpus.report())) console.log(line);
 * // → 3 pairs read, 1 kept
 * // → 2 dropped: blank on one side or both (line 2, 3)
 * ```
 */
export function describeReport(report: CorpusReport): string[] {
  const describe = (
    tallies: { readonly [key: string]: Tally },
    clauses: { readonly [key: string]: string },
    verb: string,
  ) =>
    Object.entries(tallies).map(([key, { count, firstLines }]) => {
      const more = count > firstLines.length ? ', …' : '';
      return `${count} ${verb}${clauses[key]} (line ${firstLines.join(', ')}${more})`;
    });
  return [
    `${report.read} pairs read, ${report.kept} kept`,
    ...describe(report.dropped, dropClauses, 'dropped: '),
    ...describe(report.warnings, warningClauses, ''),
  ];
}
