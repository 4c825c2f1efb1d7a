import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { createRequire } from 'node:module';
import { fileURLToPath, pathToFileURL } from 'node:url';

export interface CliResult {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface CliOptions {
  readonly input?: string;
  /** The folder it is called from. */
  readonly cwd?: string;
  /** Sent once this text has appeared on standard output or error. */
  readonly signal?: { readonly name: NodeJS.Signals; readonly after: string };
}

const program = fileURLToPath(new URL('../cli.ts', import.meta.url));
const loader = pathToFileURL(createRequire(import.meta.url).resolve('tsx')).href;

/** What starts the command line from source; its arguments follow. */
export function cliCommand(): [command: string, ...options: string[]] {
  return [process.execPath, '--conditions=@seqloom/source', '--import', loader, program];
}

/** Starts the command line as a process of its own, from source. */
export function spawnCli(args: readonly string[], cwd?: string): ChildProcessWithoutNullStreams {
  const [command, ...options] = cliCommand();
  return spawn(command, [...options, ...args], { cwd });
}

/** Runs it to its end. */
export function runCli(args: readonly string[], { input = '', cwd, signal }: CliOptions = {}): Promise<CliResult> {
  const child = spawnCli(args, cwd);
  let stdout = '';
  let stderr = '';
  let sent = false;
  const send = () => {
    if (!sent && signal && (stdout + stderr).includes(signal.after)) sent = child.kill(signal.name);
  };
  child.stdout.on('data', (bytes: Buffer) => {
    stdout += bytes;
    send();
  });
  child.stderr.on('data', (bytes: Buffer) => {
    stderr += bytes;
    send();
  });
  child.stdin.end(input);
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code) => resolve({ code, stdout, stderr }));
  });
}
