import { expect, test } from 'vitest';
import { Normalizer } from '../normalize/normalizer.js';
import { TokenizerFileError } from '../tokenizers/pipeline/json-node.js';
import { WordTokenizer } from '../tokenizers/word-tokenizer.js';
import { TextCodec, type TextFiles } from './text-codec.js';
import { TextSide } from './text-side.js';

function memory(): TextFiles {
  const files = new Map<string, Uint8Array>();
  return { read: async (name) => files.get(name) ?? null, write: async (name, bytes) => void files.set(name, bytes) };
}

async function codec(): Promise<TextCodec> {
  const side = async (texts: string[], language: string, steps: string[]) =>
    new TextSide(await WordTokenizer.train(texts, { locale: language }), language, await Normalizer.load(steps));
  const source = await side(['欢迎来北京。', '我爱上海。', '学习'], 'zh', ['nfc', 'simplified']);
  const target = await side(['welcome to beijing .', 'i love shanghai .'], 'en', ['lowercase']);
  return new TextCodec({ source, target, direction: 'zh-en', maxPieces: 50 });
}

test('what is saved reads back to the same ids, pieces and texts', async () => {
  const first = await codec();
  const files = memory();
  await first.save(files);
  const again = await TextCodec.load(files, JSON.parse(JSON.stringify(first.settings())));
  expect(again.source.encode('欢迎来北京')).toEqual(first.source.encode('欢迎来北京'));
  expect(again.source.encode('欢迎来北京').pieces).toEqual(['欢迎', '来', '北京']);
  expect(again.target.encode('WELCOME to Beijing').ids).toEqual(first.target.encode('welcome to beijing').ids);
  // Labels are the raw text, whatever the model reads.
  expect(again.source.encode('歡迎來北京')).toEqual({
    ...first.source.encode('欢迎来北京'),
    pieces: ['歡迎', '來', '北京'],
  });
  expect(again.maxPieces).toBe(50);
});

test('a broken tokenizer is named by its file', async () => {
  const [files, saved] = [memory(), await codec()];
  await saved.save(files);
  await files.write('tokenizer.target.json', new TextEncoder().encode('{"model": 3}'));
  const load = TextCodec.load(files, saved.settings());
  await expect(load).rejects.toThrow(TokenizerFileError);
  await expect(load).rejects.toThrow('tokenizer.target.json: model must be an object; got 3');
});

test('a missing tokenizer is named', async () => {
  await expect(TextCodec.load(memory(), (await codec()).settings())).rejects.toThrow('no tokenizer.source.json');
});

test.each([
  [undefined, 'text.version must be 1; got nothing'],
  [{ version: 2 }, 'text.version must be 1; got 2'],
  [{ version: 1, direction: 3 }, 'text.direction must be a text or null; got 3'],
  [{ version: 1, direction: null, maxPieces: 0.5 }, 'text.maxPieces must be a whole number of at least 1; got 0.5'],
  [{ version: 1, direction: null, maxPieces: 9 }, 'text.source.language must be a text or null; got nothing'],
  [
    { version: 1, direction: null, maxPieces: 9, source: { language: null, normalize: ['nfx'] } },
    'text.source.normalize must be a list of nfc',
  ],
  [
    { version: 1, direction: null, maxPieces: 9, source: { language: null } },
    'text.source.normalize must be a list of nfc',
  ],
])('settings %j are refused by name', async (settings, message) => {
  await expect(TextCodec.load(memory(), settings)).rejects.toThrow(message);
});

test('what the vocabulary lacks can be told by another text', async () => {
  const { target } = await codec();
  const { ids } = target.encode('welcome to Xanadu and Ys .');
  expect(target.decode(ids)).toBe('welcome to <unk> <unk> <unk> .');
  expect(target.decode(ids, (at) => (at === 3 ? undefined : `word ${at}`))).toBe('welcome to word 2 <unk> word 4 .');
});
