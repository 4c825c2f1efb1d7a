// pnpm bench [--only TEXT] [--json FILE]: every row is a ratio of two contenders timed in turn in one run.
import { writeFile } from 'node:fs/promises';
import { cpus, loadavg } from 'node:os';
import { resolve } from 'node:path';
import { hasRelaxedSimd } from '@seqloom/tensor-ops';
import { Command } from 'commander';
import type { Row } from './compare.js';
import type { Entry, Machine } from './entry.js';
import { pythonWithTorch } from './python.js';
import { decode } from './rows/decode.js';
import { lstm } from './rows/lstm.js';
import { product } from './rows/product.js';
import { tokenizer } from './rows/tokenizer.js';
import { trainStep } from './rows/train-step.js';

const ENTRIES: Entry[] = [...product, ...lstm, ...decode, ...trainStep, ...tokenizer];

const { json, only } = new Command('bench')
  .option('--only <text>', 'rows whose name contains this')
  .option('--json <file>', 'write the rows to this file')
  .parse()
  .opts<{ json?: string; only?: string }>();

const print = (line: string) => process.stdout.write(`${line}\n`);
const python = pythonWithTorch();
const machine: Machine = { python: python.path, relaxed: hasRelaxedSimd() };

print(
  `${cpus()[0]?.model} × ${cpus().length}, Node ${process.versions.node}, ${machine.relaxed ? 'relaxed SIMD' : 'SIMD'}`,
);
print(`load when it began: ${loadavg()[0]?.toFixed(2)} (other work makes every figure worse, and ratios with it)`);
print(python.remark);

const rows: Row[] = [];
for (const entry of ENTRIES.filter(({ name }) => !only || name.includes(only))) {
  const row = await entry.run(machine);
  if (!row) print(`${entry.name}: left out, its rival is not on this machine`);
  else {
    rows.push(row);
    print(line(row));
  }
}
if (json) {
  const file = resolve(json);
  await writeFile(
    file,
    `${JSON.stringify(
      rows.map(({ spread, ...row }) => ({ ...row, spread })),
      null,
      1,
    )}\n`,
  );
}

function line({ name, ours, theirs, ratio, unit, spread }: Row): string {
  const value = (n: number) => n.toPrecision(4);
  const range = ([low, high]: [number, number]) => `${value(low)}–${value(high)}`;
  const rival =
    theirs === null || !spread.theirs
      ? ''
      : `, theirs ${value(theirs)} (${range(spread.theirs)}), ratio ${ratio?.toFixed(2)}`;
  return `${name}: ours ${value(ours)} ${unit} (${range(spread.ours)})${rival}`;
}
