// pnpm test:combinations [WORD…]: trains every combination of cell, direction, decoder and score (those whose name has all the
// words) on copying, prints a table, and fails where one copies less than 99 % of sequences it has not seen.
import { fork } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { useBackend } from '../index.js';
import { type Combination, combinations, type Learnt, learnToCopy, NEEDED } from './combinations.js';

type Result = { name: string } & Learnt;

if (process.send) await work();
else await run(process.argv.slice(2));

async function run(words: string[]): Promise<void> {
  const chosen = combinations().filter(({ name }) => words.every((word) => name.includes(word)));
  const waiting = chosen.map(({ name }) => name);
  const results: Result[] = [];
  process.stdout.write(`${'exact'.padStart(7)} ${'steps'.padStart(6)} ${'seconds'.padStart(8)}  combination\n`);
  await Promise.all(
    Array.from({ length: Math.min(availableParallelism(), chosen.length) }, () =>
      worker(waiting, (result) => {
        results.push(result);
        process.stdout.write(`${row(result)}\n`);
      }),
    ),
  );
  const failed = results.filter(({ exact }) => exact < NEEDED);
  const slowest = Math.max(...results.map(({ seconds }) => seconds));
  process.stdout.write(
    `${results.length - failed.length} passed, ${failed.length} failed of ${chosen.length}; the slowest took ${slowest.toFixed(1)} s\n`,
  );
  process.exitCode = failed.length === 0 && results.length === chosen.length && chosen.length > 0 ? 0 : 1;
}

function row({ name, exact, steps, seconds }: Result): string {
  const share = `${(100 * exact).toFixed(1)} %`.padStart(7);
  return `${share} ${String(steps).padStart(6)} ${seconds.toFixed(1).padStart(8)}  ${name}${exact < NEEDED ? '  FAILED' : ''}`;
}

/** A process that takes one name after the other. */
function worker(waiting: string[], report: (result: Result) => void): Promise<void> {
  return new Promise((resolve, reject) => {
    const child = fork(fileURLToPath(import.meta.url));
    const next = (): void => {
      const name = waiting.shift();
      if (name === undefined) child.disconnect();
      else child.send(name);
    };
    child.on('message', (message) => {
      if (message !== 'ready') report(message as Result);
      next();
    });
    child.on('error', reject);
    child.on('exit', (code) =>
      code === 0 ? resolve() : reject(new Error(`combinations: a worker ended with ${code}`)),
    );
  });
}

async function work(): Promise<void> {
  await useBackend();
  const all = new Map<string, Combination>(combinations().map((combination) => [combination.name, combination]));
  process.on('message', async (name: string) => {
    process.send!({ name, ...(await learnToCopy(all.get(name)!)) });
  });
  process.send!('ready');
}
