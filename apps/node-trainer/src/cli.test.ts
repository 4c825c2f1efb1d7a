import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { type CliOptions, runCli } from './testing/run-cli.js';
import { temporaryFolder } from './testing/temporary-folder.js';

// A path with spaces and 汉字: everything below happens in it.
const folder = path.join(temporaryFolder('seqloom-'), 'my runs 我的');
const run = path.join(folder, 'runs', '模型 a');
const people = ['我', '你', '他', '她', '我们', '他们'];
const persons = ['I', 'you', 'he', 'she', 'we', 'they'];
const things = ['猫', '狗', '书', '茶', '米饭'];
const words = ['cats', 'dogs', 'books', 'tea', 'rice'];

function write(name: string, text: string): string {
  const file = path.join(folder, name);
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, text);
  return file;
}

const cli = (args: readonly string[], options: CliOptions = {}) => runCli(args, { cwd: folder, ...options });
const json = (file: string) => JSON.parse(readFileSync(file, 'utf8'));

const config = `data: { train: pairs.tsv, valid: 6, test: 6, columns: [en, zh], direction: zh-en }
model:
  encoder: { hiddenSize: 24, bidirectional: true, embeddingSize: 16 }
  decoder: { kind: luong, attention: general, hiddenSize: 48, embeddingSize: 16 }
training: { epochs: 25, batch: { size: 8 }, optimizer: { learningRate: 0.02 }, workers: 1 }
validation: { every: 30, samples: 2 }
`;

beforeAll(async () => {
  const pairs = people.flatMap((person, i) =>
    things.map((thing, j) => `${persons[i]} like ${words[j]}.\t${person}喜欢${thing}。`),
  );
  write('pairs.tsv', `${pairs.join('\n')}\n`);
  write('config.yaml', config);
  // From another folder than the config's.
  const { code, stderr, stdout } = await runCli(
    ['train', path.join(folder, 'config.yaml'), '--out', run, '--log', 'json'],
    { cwd: tmpdir() },
  );
  expect(stderr).toBe('');
  expect(code).toBe(0);
  const events = stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
  expect(events.filter(({ type }) => type === 'step').length).toBeGreaterThan(20);
  expect(events.at(-1)).toMatchObject({ type: 'done', reason: 'epochs', out: run });
}, 60_000);

describe('train', () => {
  test('leaves a model folder, a log, metrics and a report', () => {
    for (const name of [
      'config.json',
      'model.safetensors',
      'tokenizer.source.json',
      'tokenizer.target.json',
      'recipe.yaml',
      'training/log.jsonl',
    ]) {
      expect(existsSync(path.join(run, name)), name).toBe(true);
    }
    expect(readdirSync(path.join(run, 'training')).some((name) => name.startsWith('events.out.tfevents'))).toBe(true);
    const metrics = json(path.join(run, 'metrics.json'));
    expect(Object.keys(metrics)).toEqual(['test', 'valid', 'seconds', 'tokensPerSecond']);
    expect(metrics.test.loss).toBeLessThan(1);
    expect(metrics.test.signatures.bleu).toContain('tok:13a');
    expect(readFileSync(path.join(run, 'report.html'), 'utf8')).toContain('class="attention-map"');
  });

  test('the report asks the network for nothing', () => {
    const page = readFileSync(path.join(run, 'report.html'), 'utf8');
    expect(page.match(/(?:src|href)=["'](?!data:)[^"'#]/g)).toBeNull();
    expect(page).not.toMatch(/@import|url\((?!data:)/);
  });

  test('a second run does not overwrite the first unless asked to', async () => {
    const { code, stderr } = await cli(['train', 'config.yaml', '--out', run]);
    expect(code).toBe(2);
    expect(stderr).toContain('a run is here already');
  });

  test.each([
    [
      'an unknown key, with the nearest',
      'bad-key.yaml',
      'trainning:\n  epochs: 1\n',
      'bad-key.yaml, line 1: unknown key "trainning"; did you mean "training"?',
    ],
    [
      'a value out of range',
      'bad-value.yaml',
      'data: { train: pairs.tsv }\ntraining:\n  epochs: 0\n',
      'bad-value.yaml, line 3: "training.epochs" must be',
    ],
    [
      'data that is not there',
      'no-data.yaml',
      'data: { train: nowhere.tsv }\ntraining: { epochs: 1 }\n',
      'nowhere.tsv: there is no such file',
    ],
    [
      'a model that cannot be',
      'bad-model.yaml',
      'data: { train: pairs.tsv }\ntraining: { epochs: 1 }\nmodel: { decoder: { kind: luong, attention: dot, hiddenSize: 7 } }\n',
      'attention dot needs decoder.hiddenSize equal',
    ],
    [
      'unequal files',
      'unequal.yaml',
      'data: { train: { source: a.zh, target: a.en } }\ntraining: { epochs: 1 }\n',
      'line 2',
    ],
  ])('refuses %s in one line, with exit code 2 and nothing left behind', async (_, name, text, message) => {
    write('a.zh', '猫\n狗\n');
    write('a.en', 'cat\n');
    write(name, text);
    const { code, stderr, stdout } = await cli(['train', name, '--out', 'runs/refused']);
    expect(stderr).toContain(message);
    expect(stderr.trimEnd().split('\n')).toHaveLength(1);
    expect([code, stdout]).toEqual([2, '']);
    expect(existsSync(path.join(folder, 'runs/refused'))).toBe(false);
  });

  test.each(['SIGINT', 'SIGTERM'] as const)(
    '%s saves, says how to go on, exits with 130; the resumed run ends as one that was never stopped',
    async (name) => {
      const args = [
        'train',
        'config.yaml',
        '--set',
        'training.epochs=8',
        '--set',
        'validation.scores=[]',
        '--log',
        'text',
      ];
      const whole = await cli([...args, '--out', `runs/whole-${name}`]);
      expect(whole.code).toBe(0);
      const stopped = await cli([...args, '--out', `runs/${name}`], { signal: { name, after: 'step 1 ' } });
      expect(stopped.code).toBe(130);
      expect(stopped.stderr).toContain(`runs/${name}/recipe.yaml`);
      const resumed = await cli(['train', `runs/${name}/recipe.yaml`, '--resume', '--log', 'text']);
      expect(resumed.stderr).toContain('going on from step-');
      expect(resumed.code).toBe(0);
      const log = (name: string) =>
        readFileSync(path.join(folder, 'runs', name, 'training/log.jsonl'), 'utf8')
          .trimEnd()
          .split('\n')
          .map((line) => JSON.parse(line))
          .filter(({ type }) => type === 'step' || type === 'validation')
          .map(({ tokensPerSecond: _, ...entry }) => entry);
      expect(log(name)).toEqual(log(`whole-${name}`));
      const weights = (name: string) => readFileSync(path.join(folder, 'runs', name, 'model.safetensors'));
      expect(weights(name).equals(weights(`whole-${name}`))).toBe(true);
    },
    60_000,
  );

  test('--resume without a run says so', async () => {
    const { code, stderr } = await cli(['train', 'config.yaml', '--out', 'runs/never', '--resume']);
    expect([code, stderr]).toEqual([2, expect.stringContaining('there is no checkpoint to resume from')]);
  });
});

describe('translate', () => {
  test('one line out for each line in, blank lines stay blank, the last needs no end', async () => {
    const { code, stdout } = await cli(['translate', '--model', run], {
      input: '我喜欢猫。\n\n   \n她喜欢茶。\n不认识的词😀',
    });
    expect(code).toBe(0);
    const lines = stdout.split('\n');
    expect(lines).toHaveLength(6);
    expect(lines.slice(0, 4)).toEqual([expect.stringMatching(/\w/), '', '', expect.stringMatching(/\w/)]);
  });

  test('a file in CRLF gives what it gives in LF', async () => {
    const unix = await cli(['translate', '--model', run], { input: '我喜欢猫。\n他喜欢书。\n' });
    const dos = await cli(['translate', '--model', run], { input: '\ufeff我喜欢猫。\r\n他喜欢书。\r\n' });
    expect(dos.stdout).toBe(unix.stdout);
  });

  test('JSON has scores and attention whose rows sum to one; --nbest gives alternatives in order', async () => {
    const { stdout } = await cli(['translate', '--model', run, '--json', '--nbest', '3'], { input: '我喜欢猫。\n' });
    const { translation, score, tokens, attention, alternatives } = JSON.parse(stdout);
    expect(attention.source).toEqual(['我', '喜欢', '猫', '。']);
    expect(attention.target).toEqual(tokens);
    for (const row of attention.weights)
      expect(row.reduce((sum: number, weight: number) => sum + weight, 0)).toBeCloseTo(1, 4);
    expect(alternatives).toHaveLength(2);
    expect(score).toBeGreaterThanOrEqual(alternatives[0].score);
    expect(alternatives.map(({ text }: { text: string }) => text)).not.toContain(translation);
  });

  test.each(['svg', 'png', 'html', 'json'])('draws attention as .%s', async (ending) => {
    const file = path.join(folder, `图 1.${ending}`);
    const { code } = await cli(['translate', '--model', run, '--attention', file], { input: '我喜欢猫。\n\n' });
    expect(code).toBe(0);
    const bytes = readFileSync(file);
    if (ending === 'png') expect(bytes.subarray(1, 4).toString()).toBe('PNG');
    else expect(bytes.toString()).toContain('喜欢');
  });

  test.each([
    [['translate'], "required option '--model <folder>'"],
    [['translate', '--model', 'nowhere'], 'nowhere: there is no such folder'],
    [['translate', '--model', '.'], 'config.json is missing'],
    [['translate', '--model', run, '--beam', '0'], 'whole number of at least 1'],
    [['translate', '--model', run, '--attention', 'x.gif'], '.svg, .png'],
  ])('%j is refused', async (args, message) => {
    const { code, stderr } = await cli(args);
    expect([code, stderr]).toEqual([2, expect.stringContaining(message)]);
  });

  test('a tampered model is refused before it is used', async () => {
    const copy = path.join(folder, 'tampered');
    mkdirSync(copy);
    for (const name of ['config.json', 'tokenizer.source.json', 'tokenizer.target.json'])
      writeFileSync(path.join(copy, name), readFileSync(path.join(run, name)));
    const weights = readFileSync(path.join(run, 'model.safetensors'));
    weights[weights.length - 1]! ^= 1;
    writeFileSync(path.join(copy, 'model.safetensors'), weights);
    const { code, stderr } = await cli(['translate', '--model', copy]);
    expect([code, stderr]).toEqual([2, expect.stringContaining('checksum')]);
  });
});

describe('average, serve', () => {
  test('the mean of one model and itself is that model', async () => {
    const { code, stderr } = await cli(['average', run, run, '--out', 'mean']);
    expect([code, stderr]).toEqual([0, '']);
    const weights = (name: string) => readFileSync(path.join(name, 'model.safetensors'));
    expect(weights(path.join(folder, 'mean')).equals(weights(run))).toBe(true);
    expect((await cli(['average', run, '--last', '3', '--out', 'mean'])).stdout).toMatch(
      /mean: the mean of step-\d+, step-\d+/,
    );
  });

  test('serve listens on loopback and ends with 0 when it is told to', async () => {
    const { code, stdout } = await cli(['serve', '--model', run, '--port', '0'], {
      signal: { name: 'SIGTERM', after: 'listening' },
    });
    expect([code, stdout]).toEqual([0, expect.stringMatching(/^listening on http:\/\/127\.0\.0\.1:\d+\n$/)]);
  });

  test.each([
    [['--port', '99999'], 'at most 65535'],
    [['--host', '203.0.113.1'], '203.0.113.1 is no address of this machine'],
  ])('serve %j is refused in one line', async (args, message) => {
    const { code, stderr } = await cli(['serve', '--model', run, ...args]);
    expect([code, stderr.trimEnd().split('\n').length, stderr]).toEqual([2, 1, expect.stringContaining(message)]);
  });
});

describe('evaluate, inspect, report, score', () => {
  test('evaluate scores the test part, or a file', async () => {
    const own = JSON.parse((await cli(['evaluate', '--model', run, '--json'])).stdout);
    const { test: stored } = json(path.join(run, 'metrics.json'));
    expect(own).toMatchObject({ items: 6, loss: stored.loss, bleu: stored.bleu, exactMatch: stored.exactMatch });
    const { stdout } = await cli(['evaluate', 'pairs.tsv', '--model', run, '--metrics', 'chrf', '--output', 'out.txt']);
    expect(stdout).toMatch(/^30 items[\s\S]*perplexity[\s\S]*chrf \d/);
    expect(readFileSync(path.join(folder, 'out.txt'), 'utf8').split('\n')).toHaveLength(31);
  });

  test('inspect adds up the parameters of its layers', async () => {
    const { layers, parameters, text } = JSON.parse((await cli(['inspect', run, '--json'])).stdout);
    expect(layers.map(({ name }: { name: string }) => name)).toContain('encoder.rnn.weight_ih_l0_reverse');
    expect(
      layers.reduce((sum: number, layer: { shape: number[] }) => sum + layer.shape.reduce((a, b) => a * b), 0),
    ).toBe(parameters);
    expect(text).toMatchObject({ direction: 'zh-en', source: { language: 'zh' } });
  });

  test('report compares runs', async () => {
    const { code, stdout } = await cli(['report', run, run, '--out', 'both.html']);
    expect([code, stdout]).toEqual([0, 'both.html\n']);
  });

  test('score reads standard input and refuses unequal files by name and line', async () => {
    write('ref.txt', 'the cat sat on the mat\na b c d\n');
    const { stdout } = await cli(['score', '-', 'ref.txt', '--json'], { input: 'the cat sat on the mat\na b c d\n' });
    expect(JSON.parse(stdout)).toMatchObject({
      bleu: { score: expect.closeTo(100), bp: 1 },
      chrf: { score: expect.closeTo(100) },
      ter: { score: 0 },
    });
    const { code, stderr } = await cli(['score', '-', 'ref.txt'], { input: 'one\n' });
    expect([code, stderr]).toEqual([2, expect.stringMatching(/1 and 2.*ref\.txt, line 2 has no partner/)]);
  });
});
