import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Random } from '@seqloom/tensor-ops';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { latestCheckpoint, memoryStore, presets, Seq2Seq, train, useBackend } from '../index.js';
import { folder } from '../node/index.js';
import { copyBatches } from '../testing/copy-task.js';
import { resumableRun } from '../testing/resumable-run.js';

let root: string;
let expected: Buffer;
const tensorsOf = (path: string) => readFile(join(path, 'training/step-00000020.safetensors'));

beforeAll(async () => {
  await useBackend();
  root = await mkdtemp(join(tmpdir(), 'resume-'));
  await resumableRun(join(root, 'whole'), 20);
  expected = await tensorsOf(join(root, 'whole'));
});
afterAll(() => rm(root, { recursive: true }));

const program = fileURLToPath(new URL('../testing/resumable-run.ts', import.meta.url));
const child = (path: string): ChildProcess =>
  spawn(process.execPath, ['--conditions=@seqloom/source', '--import', 'tsx', program, path, '20'], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
/** Resolves with the exit code; rejects with what the program complained about. */
function ended(run: ChildProcess): Promise<number | null> {
  let complaint = '';
  run.stderr!.on('data', (text) => {
    complaint += text;
  });
  return new Promise((resolve, reject) => {
    run.on('exit', (code) => (code === 0 || code === null ? resolve(code) : reject(new Error(complaint))));
  });
}

test('ten steps and ten more in a new process give the bits of twenty', async () => {
  const path = join(root, 'halves');
  await resumableRun(path, 10);
  await ended(child(path));
  expect((await tensorsOf(path)).equals(expected)).toBe(true);
});

const kills = Number(process.env.SEQLOOM_KILLS ?? 3);

test(
  'a run killed again and again ends with the bits of one that was left alone',
  async () => {
    const random = new Random(kills);
    const path = join(root, 'killed');
    for (let killed = 0; killed < kills; killed++) {
      const run = child(path);
      const exit = ended(run);
      await Promise.race([new Promise((resolve) => run.stdout!.once('data', resolve)), exit]); // a fast run may be over
      await new Promise((resolve) => setTimeout(resolve, random.uniform(0, 60)));
      run.kill('SIGKILL');
      await exit;
      expect((await latestCheckpoint(folder(path)))?.damaged ?? []).toEqual([]);
    }
    await ended(child(path));
    expect((await tensorsOf(path)).equals(expected)).toBe(true);
  },
  30_000 + 15_000 * kills,
);

test('a damaged checkpoint is named and the one before it is taken', async () => {
  const path = join(root, 'halves');
  const store = folder(path);
  const bytes = (await store.read('training/step-00000020.safetensors'))!;
  for (const spoilt of [bytes.subarray(0, 100), bytes.slice().fill(7, 900, 904)]) {
    await store.write('training/step-00000020.safetensors', spoilt);
    const found = await latestCheckpoint(store);
    expect(found?.name).toBe('step-00000019');
    expect(found?.damaged[0]).toMatchObject({
      name: 'step-00000020',
      reason: expect.stringMatching(/^checkpoint step-00000020: the tensors .*(bytes|checksum)/),
    });
  }
});

test('a checkpoint of another model is refused by the setting that differs', async () => {
  const store = memoryStore();
  const batches = copyBatches(2, 2, { symbols: 8, shortest: 2, longest: 5, seed: 1 });
  const sizes = { sourceVocabulary: 12, targetVocabulary: 12 };
  const model = Seq2Seq.create(presets['notes-dot']({ ...sizes, hiddenSize: 6 }));
  for await (const _ of train(model, batches, { checkpoint: { store } }));
  const { checkpoint } = (await latestCheckpoint(store))!;
  const other = Seq2Seq.create(presets['notes-dot']({ ...sizes, hiddenSize: 7 }));
  const resumed = train(other, batches, { resume: checkpoint, epochs: 2 });
  await expect(resumed.next()).rejects.toThrow(/encoder.hiddenSize is 6 there, 7 here$/);
});
