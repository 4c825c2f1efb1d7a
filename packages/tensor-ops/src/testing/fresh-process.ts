import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const folder = fileURLToPath(new URL('../..', import.meta.url));
const FLAGS = ['--import', 'tsx', '--conditions=@seqloom/source', '--input-type=module'];

/** What a program did. */
export interface Outcome {
  code: number | null;
  output: string;
  errors: string;
}

/** Runs an ES module, given as text, in a Node process of its own that finds this package and its dependencies. */
export function runFresh(program: string, flags = FLAGS): Outcome {
  const { status, stdout, stderr } = spawnSync(process.execPath, [...flags, '-e', program], {
    cwd: folder,
    encoding: 'utf8',
    timeout: 60_000,
  });
  return { code: status, output: stdout.trim(), errors: stderr };
}
