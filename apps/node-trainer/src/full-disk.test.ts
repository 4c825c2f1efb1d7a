import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { cliCommand } from './testing/run-cli.js';
import { temporaryFolder } from './testing/temporary-folder.js';

// A namespace of its own may mount a small disk without asking anybody.
const canMount = spawnSync('unshare', ['--user', '--map-root-user', '--mount', 'true']).status === 0;
const root = temporaryFolder('seqloom-disk-');
const config = path.join(root, 'config.yaml');
const disk = path.join(root, 'disk');

mkdirSync(disk);
writeFileSync(
  config,
  `data: { train: pairs.tsv, valid: 4 }
model: { encoder: { hiddenSize: 64 }, decoder: { attention: dot } }
training: { steps: 60, batch: { size: 4 }, workers: 1 }
validation: { every: 20, scores: [], samples: 0 }
`,
);
const words = ['eins', 'zwei', 'drei', 'vier', 'fünf', 'sechs', 'sieben'];
writeFileSync(path.join(root, 'pairs.tsv'), words.flatMap((a) => words.map((b) => `${a} ${b}\t${b} ${a}\n`)).join(''));

/** Runs a shell script on a disk of its own; `seqloom` in it says its exit code. */
function onDisk(size: string, script: string): string {
  const lines = [
    'set -e; disk="$1"; config="$2"; shift 2; program="$*"',
    'seqloom() { code=0; $program "$@" || code=$?; echo "code $code"; }',
    `mount -t tmpfs -o size=${size} none "$disk"`,
    script,
  ].join('\n');
  const shell = ['sh', '-c', `(${lines}) 2>&1`, 'sh', disk, config, ...cliCommand()];
  const { stdout } = spawnSync('unshare', ['--user', '--map-root-user', '--mount', ...shell], { encoding: 'utf8' });
  return stdout;
}

test.skipIf(!canMount)(
  'on a full disk a run ends with one line, keeps what it had, and goes on once there is room',
  () => {
    const said = onDisk(
      '1500k',
      `seqloom train "$config" --out "$disk/run" --quiet
seqloom inspect "$disk/run" --json | tail -1
mount -o remount,size=20m "$disk"
seqloom train "$disk/run/recipe.yaml" --resume --quiet`,
    );
    const [full, ...rest] = said.trimEnd().split('\n');
    expect(full).toMatch(/^seqloom: .*step-00000020\.safetensors \(no space is left on the disk, ENOSPC\)/);
    expect(full).toMatch(
      /what was there before is untouched; step-000000\d\d is whole, to go on .*recipe\.yaml --resume$/,
    );
    expect(rest).toEqual(['code 1', 'code 0', 'code 0']);
  },
  300_000,
);

test.skipIf(!canMount)(
  'a disk without any room, and one that is read-only, are one line',
  () => {
    const said = onDisk(
      '16k',
      `seqloom train "$config" --out "$disk/run" --quiet
mount -o remount,ro "$disk"
seqloom train "$config" --out "$disk/new/run" --quiet`,
    );
    expect(said.trimEnd().split('\n')).toEqual([
      expect.stringMatching(/^seqloom: .*no space is left on the disk/),
      'code 1',
      expect.stringMatching(/^seqloom: .*new\/run\/recipe\.yaml \(the file system is read-only, EROFS\)/),
      'code 1',
    ]);
  },
  300_000,
);

test.skipIf(!existsSync('/proc/self'))(
  'a place where no folders can be made is one line, not an endless wait',
  () => {
    const said = (args: string[]) => {
      const [command, ...options] = cliCommand();
      const run = spawnSync(command, [...options, ...args], { encoding: 'utf8', cwd: root, timeout: 60_000 });
      return [run.status, run.stderr];
    };
    const untouched = 'what was there before is untouched';
    expect(said(['train', config, '--out', '/proc/x', '--quiet'])).toEqual([
      2,
      `seqloom: folder: cannot write /proc/x/recipe.yaml (no folder can be made there, ENOENT); ${untouched}\n`,
    ]);
    expect(said(['corpus', 'split', 'pairs.tsv', '--valid', '4', '--test', '4', '--out', '/proc/x/y'])).toEqual([
      2,
      'seqloom: /proc/x: no folder can be made there\n',
    ]);
  },
  150_000,
);
