import { expect, test } from 'vitest';
import { WordTokenizer } from '../tokenizers/word-tokenizer.js';
import { TextCodec, type TextFiles } from './text-codec.js';
import { TextSide } from './text-side.js';

function memory(): TextFiles {
  const files = new Map<string, Uint8Array>();
  return { read: async (name) => files.get(name) ?? null, write: async (name, bytes) => void files.set(name, bytes) };
}

async function codec(): Promise<TextCodec> {
  const side = async (texts: string[], language: string, lowercase: boolean) =>
    new TextSide(await WordTokenizer.train(texts, { locale: language }), { language, lowercase });
  const source = await side(['欢迎来北京。', '我爱上海。'], 'zh', false);
  const target = await side(['welcome to beijing .', 'i love shanghai .'], 'en', true);
  return new TextCodec({ source, target, direction: 'zh-en', maxPieces: 50 });
}

test('what is saved reads back to the same ids, pieces and texts', async () => {
  const first = await codec();
  const files = memory();
  await first.save(files);
  const again = await TextCodec.load(files, JSON.parse(JSON.stringify(first.settings())));
  expect(again.source.encode('欢迎来北京')).toEqual(first.source.encode('欢迎来北京'));
  expect(again.source.encode('欢迎来北京').pieces).toEqual(['欢迎', '来', '北京']);
  expect(again.target.encode('WELCOME to Beijing')).toEqual(first.target.encode('welcome to beijing'));
  expect(again.maxPieces).toBe(50);
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
    { version: 1, direction: null, maxPieces: 9, source: { language: null } },
    'text.source.lowercase must be true or false',
  ],
])('settings %j are refused by name', async (settings, message) => {
  await expect(TextCodec.load(memory(), settings)).rejects.toThrow(message);
});
