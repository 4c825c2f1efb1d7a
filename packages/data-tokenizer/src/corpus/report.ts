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
