// Something to measure, alone in a process of its own, so that two tfjs engines or two languages can be timed in turn in one run.
import { type ChildProcess, fork, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { torchEnvironment } from './python.js';

export interface Contender {
  /** Runs the thing once. @returns milliseconds, or whatever unit the contender counts in */
  measure(): Promise<number>;
  close(): void;
}

/** A TypeScript program in `contenders/` that calls `serve` (see serve.ts). Resolves when it is set up and warm. */
export async function nodeContender(program: string, options: object): Promise<Contender> {
  const file = fileURLToPath(new URL(`./contenders/${program}.ts`, import.meta.url));
  const child = fork(file, [JSON.stringify(options)], {
    execArgv: ['--import', 'tsx'], // the packages as they are built: what people install
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  await answer(child, program);
  return {
    measure: async () => {
      child.send('measure');
      return (await answer(child, program)) as number;
    },
    close: () => void child.kill(),
  };
}

function answer(child: ChildProcess, program: string): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const ended = (code: number | null) => reject(new Error(`${program} ended with code ${code} before it answered`));
    child.once('exit', ended);
    child.once('message', (message) => {
      child.removeListener('exit', ended);
      resolve(message);
    });
  });
}

/** A Python program in `torch/`: prints "ready", then one number of milliseconds for each line it reads. */
export async function pythonContender(python: string, program: string, args: (string | number)[]): Promise<Contender> {
  const file = fileURLToPath(new URL(`../torch/${program}.py`, import.meta.url));
  const child = spawn(python, [file, ...args.map(String)], {
    stdio: ['pipe', 'pipe', 'inherit'],
    env: torchEnvironment(),
  });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const next = async (): Promise<string> => {
    const { value, done } = await lines.next();
    if (done) throw new Error(`${program}.py ended before it answered`);
    return value;
  };
  await next();
  return {
    measure: async () => {
      child.stdin.write('measure\n');
      return Number(await next());
    },
    close: () => void child.kill(),
  };
}
