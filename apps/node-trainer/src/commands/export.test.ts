import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { saveModelFolder } from '../run/model-folder.js';
import { runCli } from '../testing/run-cli.js';
import { temporaryFolder } from '../testing/temporary-folder.js';
import { untrainedTranslator } from '../testing/untrained-translator.js';

const folder = temporaryFolder('seqloom 导出 ');
const at = (...names: string[]) => path.join(folder, ...names);
const bytes = (...names: string[]) => readFileSync(at(...names));
const config = (name: string) => JSON.parse(bytes(name, 'config.json').toString()) as { model: object; text: object };

beforeAll(async () => {
  const { models, codec, search } = await untrainedTranslator();
  await saveModelFolder(at('model'), { model: models[0]!, codec, search });
});

test('a model goes to PyTorch and comes back the same, text settings included', async () => {
  const exported = await runCli(['export', '--model', at('model'), '--to', 'pytorch', '--out', at('torch')]);
  expect(exported).toEqual({ code: 0, stdout: `${at('torch')}: model.py and model.safetensors\n`, stderr: '' });
  expect(readdirSync(at('torch')).sort()).toEqual(['model.py', 'model.safetensors']);
  const args = ['import', '--from', 'pytorch', at('torch'), '--model', at('model'), '--out', at('back')];
  const imported = await runCli(args);
  expect(imported.stderr).toBe('');
  expect(imported.code).toBe(0);
  for (const name of ['model.safetensors', 'tokenizer.source.json', 'tokenizer.target.json']) {
    expect(bytes('back', name).equals(bytes('model', name)), name).toBe(true);
  }
  expect(config('back').model).toEqual(config('model').model);
  expect(config('back').text).toMatchObject(config('model').text);
});

test('a model goes to 8 bits, a quarter of the size, translates, and comes back', async () => {
  const exported = await runCli(['export', '--model', at('model'), '--to', 'int8', '--out', at('small')]);
  expect(exported).toEqual({ code: 0, stdout: `${at('small')}: the model in 8 bits\n`, stderr: '' });
  const header = JSON.parse(`${bytes('small', 'model.safetensors').toString('latin1', 8).split('}}')[0]}}}`);
  expect(header['output.weight'].dtype).toBe('I8');
  expect(bytes('small', 'tokenizer.source.json').equals(bytes('model', 'tokenizer.source.json'))).toBe(true);
  const translate = (name: string, precision: string) =>
    runCli(['translate', '--model', at(name), '--precision', precision, '--json'], { input: '我 喜欢 猫 。\n' });
  const [exact, small, smaller] = await Promise.all([
    translate('model', 'float32'),
    translate('small', 'float32'),
    translate('small', 'int8'),
  ]);
  const scores = [exact, small, smaller].map(({ stdout }) => (JSON.parse(stdout) as { score: number }).score);
  expect(scores[1]).toBeCloseTo(scores[0]!, 1);
  expect(scores[2]).toBeCloseTo(scores[0]!, 1);
  expect(scores[1]).not.toBe(scores[0]);
  expect(scores[2]).toBeCloseTo(scores[1]!, 6); // of so few tokens all are ranked in floats
  const imported = await runCli(['import', '--from', 'int8', at('small'), '--out', at('large')]);
  expect(imported).toEqual({ code: 0, stdout: `${at('large')}: the model of ${at('small')} in 32 bits\n`, stderr: '' });
  expect((await translate('large', 'float32')).stdout).toBe(small.stdout);
}, 30_000);

test('what does not belong together is refused', async () => {
  const [without, useless] = await Promise.all([
    runCli(['import', '--from', 'pytorch', at('model'), '--out', at('x')]),
    runCli(['import', '--from', 'int8', at('model'), '--model', at('model'), '--out', at('x')]),
  ]);
  expect([without.code, without.stderr]).toEqual([2, expect.stringContaining('needs --model')]);
  expect([useless.code, useless.stderr]).toEqual([2, expect.stringContaining('--model has no effect')]);
});

test('an export over the model itself, and an import of nothing, are refused in one line', async () => {
  const [over, nothing] = await Promise.all([
    runCli(['export', '--model', at('model'), '--to', 'pytorch', '--out', at('model', '..', 'model')]),
    runCli(['import', '--from', 'pytorch', at('none'), '--model', at('model'), '--out', at('back')]),
  ]);
  expect(over.code).toBe(2);
  expect(over.stderr).toMatch(/^seqloom: .*--out must be another folder than --model\n$/);
  expect(nothing.code).toBe(2);
  expect(nothing.stderr).toBe(`seqloom: ${at('none')}: there is no such file or folder\n`);
});
