import type { ChildProcessWithoutNullStreams } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { latestCheckpoint, loadModel, useBackend } from '@seqloom/seq2seq';
import { folder } from '@seqloom/seq2seq/node';
import { Random } from '@seqloom/tensor-ops';
import { beforeAll, expect, test } from 'vitest';
import { runCli, spawnCli } from './testing/run-cli.js';
import { temporaryFolder } from './testing/temporary-folder.js';

const root = temporaryFolder('seqloom-kill-');
const kills = Number(process.env.SEQLOOM_KILLS ?? 2);
const at = (...names: string[]) => path.join(root, ...names);

// A checkpoint every third step, often a new best model; nearly all of the run is writing.
writeFileSync(
  at('config.yaml'),
  `data: { train: pairs.tsv, valid: 8 }
model:
  encoder: { hiddenSize: 12, dropout: 0.2 }
  decoder: { attention: dot, dropout: 0.2 }
training: { steps: 90, batch: { size: 4 }, optimizer: { learningRate: 0.01 }, movingAverage: 0.9, workers: 1 }
validation: { every: 3, scores: [exactMatch], samples: 1 }
`,
);
const words = ['eins', 'zwei', 'drei', 'vier', 'fünf', 'sechs'];
writeFileSync(at('pairs.tsv'), words.flatMap((a) => words.map((b) => `${a} ${b} x\t${b} ${a}\n`)).join(''));

beforeAll(() => useBackend());

function start(name: string): ChildProcessWithoutNullStreams {
  const recipe = at(name, 'recipe.yaml');
  const args = existsSync(recipe) ? ['train', recipe, '--resume'] : ['train', at('config.yaml'), '--out', at(name)];
  return spawnCli([...args, '--log', 'json']);
}

/** Kills the process a moment after one of its next steps, or after its first word. */
async function killed(name: string, random: Random): Promise<void> {
  const run = start(name);
  const ended = new Promise((resolve) => run.once('close', resolve));
  const word = random.uniform() < 0.1 ? '"note"' : '"step"';
  let left = word === '"note"' ? 1 : Math.ceil(random.uniform() * Math.max(12, 120 / kills));
  await Promise.race([
    ended,
    new Promise<void>((resolve) => {
      run.stdout.on('data', (bytes: Buffer) => {
        left -= bytes.toString().split(word).length - 1;
        if (left <= 0) resolve();
      });
    }),
  ]);
  await new Promise((resolve) => setTimeout(resolve, random.uniform() * 60));
  run.kill('SIGKILL');
  await ended;
}

/** What must hold at every moment: checkpoints are whole, and the model, where there is one, loads. */
async function expectWhole(name: string): Promise<number> {
  const found = await latestCheckpoint(folder(at(name)));
  expect(found?.damaged ?? []).toEqual([]);
  if (existsSync(at(name, 'config.json'))) (await loadModel(folder(at(name)))).model.dispose();
  return found?.checkpoint.progress.step ?? 0;
}

const log = (name: string) =>
  readFileSync(at(name, 'training', 'log.jsonl'), 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as { type: string })
    .filter(({ type }) => type === 'step' || type === 'validation')
    .map(({ tokensPerSecond: _, ...entry }: { type: string; tokensPerSecond?: number }) => entry);

test(
  'a run that is killed at random moments ends with the bits of one that was left alone',
  async () => {
    const whole = runCli(['train', at('config.yaml'), '--out', at('whole'), '--quiet']);
    const random = new Random(kills);
    const reached: number[] = [];
    for (let i = 0; i < kills; i++) {
      await killed('killed', random);
      reached.push(await expectWhole('killed'));
    }
    const last = await runCli(['train', at('killed', 'recipe.yaml'), '--resume', '--quiet']);
    expect([last.code, last.stderr]).toEqual([0, '']);
    expect((await whole).code).toBe(0);
    if (kills >= 10) process.stderr.write(`checkpoints after each kill: ${reached.join(' ')}\n`);
    for (const name of ['model.safetensors', 'config.json']) {
      expect(readFileSync(at('killed', name)).equals(readFileSync(at('whole', name))), name).toBe(true);
    }
    const tensors = readdirSync(at('whole', 'training')).filter((name) => name.endsWith('.safetensors'));
    expect(tensors).toContain('step-00000090.safetensors');
    for (const name of tensors) {
      expect(readFileSync(at('killed/training', name)).equals(readFileSync(at('whole/training', name))), name).toBe(
        true,
      );
    }
    expect(log('killed')).toEqual(log('whole'));
  },
  180_000 + 30_000 * kills,
);

test('a damaged checkpoint is named, and the one before it taken', async () => {
  const steps = ['--set', 'training.steps=6'];
  await runCli(['train', at('config.yaml'), '--out', at('damaged'), '--quiet', ...steps]);
  const newest = at('damaged', 'training', 'step-00000006.safetensors');
  const [model, tensors] = [at('damaged', 'model.safetensors'), newest].map((file) => readFileSync(file));
  const spoilt = [tensors!.subarray(0, 500), Buffer.concat([tensors!.subarray(0, -1), Buffer.of(7)])];
  for (const bytes of spoilt) {
    writeFileSync(newest, bytes);
    const { code, stderr } = await runCli(['train', at('damaged', 'recipe.yaml'), '--resume', '--log', 'text']);
    expect(code).toBe(0);
    expect(stderr).toMatch(
      /step-00000006 is damaged, an older one is taken: .*(bytes|checksum)[\s\S]*from step-00000003/,
    );
    expect(readFileSync(newest).equals(tensors!)).toBe(true);
    expect(readFileSync(at('damaged', 'model.safetensors')).equals(model!)).toBe(true);
  }
}, 180_000);

test('stopped before its first checkpoint, a run starts anew; with damaged ones alone it says so', async () => {
  const steps = ['--set', 'training.steps=2'];
  await runCli(['train', at('config.yaml'), '--out', at('early'), '--quiet', ...steps]);
  const checkpoints = () => readdirSync(at('early', 'training')).filter((name) => name.startsWith('step-'));
  const before = readFileSync(at('early', 'model.safetensors'));
  for (const name of checkpoints()) rmSync(at('early', 'training', name));
  const again = await runCli(['train', at('early', 'recipe.yaml'), '--resume', '--log', 'text']);
  expect([again.code, again.stderr]).toEqual([0, expect.stringContaining('it starts anew')]);
  expect(readFileSync(at('early', 'model.safetensors')).equals(before)).toBe(true);
  for (const name of checkpoints().filter((file) => file.endsWith('.safetensors')))
    writeFileSync(at('early', 'training', name), 'cut');
  const damaged = await runCli(['train', at('early', 'recipe.yaml'), '--resume']);
  expect([damaged.code, damaged.stderr]).toEqual([2, expect.stringMatching(/none of 1 in .* is whole/)]);
}, 180_000);
