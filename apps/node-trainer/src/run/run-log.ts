import { createReadStream, existsSync } from 'node:fs';
import { truncate } from 'node:fs/promises';
import path from 'node:path';
import { createInterface } from 'node:readline';
import type { StepRecord, ValidationRecord } from '../report/run-report.js';
import { appendToFile } from './append-file.js';

/** Facts about a run that are known when it starts; one entry each time it is started or resumed. */
export interface StartRecord {
  readonly time: string;
  readonly step: number;
  readonly backend: string;
  readonly machine: string;
  readonly workers: number;
  readonly parameters: number;
  readonly vocabulary: { readonly source: number; readonly target: number };
  readonly pairs: { readonly train: number; readonly valid: number; readonly test: number };
  readonly meanPieces: { readonly source: number; readonly target: number };
  /** How many training pairs have a side of 0, 1, 2, … pieces. */
  readonly lengths: { readonly source: readonly number[]; readonly target: readonly number[] };
  /** Share of the batches' positions that hold padding. */
  readonly paddingWaste: number;
}

export type LogEntry =
  | ({ readonly type: 'start' } & StartRecord)
  | ({ readonly type: 'step' } & StepRecord)
  | ({ readonly type: 'validation' } & ValidationRecord)
  | { readonly type: 'done'; readonly step: number; readonly reason: string; readonly seconds: number };

/** The metrics log of a run: one JSON object a line, only ever appended to. */
export class RunLog {
  readonly path: string;
  #waiting: string[] = [];

  constructor(folder: string) {
    this.path = path.join(folder, 'training', 'log.jsonl');
  }

  add(entry: LogEntry): void {
    this.#waiting.push(`${JSON.stringify(entry)}\n`);
  }

  /** Writes what waits, before it returns: a checkpoint must not be there before the log of its steps. */
  flush(): void {
    if (this.#waiting.length === 0) return;
    appendToFile(this.path, this.#waiting.join(''));
    this.#waiting = [];
  }

  /** Entries in order; a last line that a crash cut short is left out. */
  async *read(): AsyncGenerator<LogEntry> {
    for await (const { entry } of this.#lines()) yield entry;
  }

  /** Forgets what was logged after a step, which a run that is resumed there will do again. */
  async rewind(step: number): Promise<void> {
    let end = 0;
    for await (const { entry, bytes } of this.#lines()) {
      if (entry.type !== 'start' && entry.step > step) break;
      end += bytes;
    }
    if (existsSync(this.path)) await truncate(this.path, end);
  }

  async *#lines(): AsyncGenerator<{ entry: LogEntry; bytes: number }> {
    if (!existsSync(this.path)) return;
    for await (const line of createInterface({
      input: createReadStream(this.path),
      crlfDelay: Number.POSITIVE_INFINITY,
    })) {
      try {
        yield { entry: JSON.parse(line) as LogEntry, bytes: Buffer.byteLength(line) + 1 };
      } catch {
        return;
      }
    }
  }
}
