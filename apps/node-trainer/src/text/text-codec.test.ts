import { expect, test } from 'vitest';
import { runConfigSchema } from '../config/run-config.js';
import { TextCodec, type TextFiles } from './text-codec.js';

const pairs = [
  { source: '欢迎来北京。', target: 'Welcome to Beijing.' },
  { source: '我爱上海，也爱北京。', target: 'I love Shanghai, and Beijing too.' },
];

const train = (text: object, direction = 'zh-en') =>
  TextCodec.train(pairs, runConfigSchema.parse({ text, data: { direction } }));

function memory(): TextFiles {
  const files = new Map<string, Uint8Array>();
  return {
    read: async (name) => files.get(name) ?? null,
    write: async (name, bytes) => void files.set(name, bytes),
  };
}

test.each([
  ['words and words', {}],
  ['characters and words', { source: { tokenizer: 'character' } }],
  ['shared merges', { share: 'merges', source: { tokenizer: 'bpe', vocabularySize: 300 } }],
  [
    'one vocabulary',
    { share: 'vocabulary', source: { tokenizer: 'bpe', alphabet: 'characters', vocabularySize: 300 } },
  ],
])('%s: what is saved reads back to the same ids and texts', async (_, text) => {
  const codec = await train(text);
  const store = memory();
  await codec.save(store);
  const again = await TextCodec.load(store, JSON.parse(JSON.stringify(codec.settings())), 'folder');
  for (const { source, target } of pairs) {
    expect(again.source.encode(source)).toEqual(codec.source.encode(source));
    expect(again.target.decode(codec.target.encode(target).ids)).toBe(target);
  }
});

test('the pieces of a Chinese source are its words, as the raw text has them', async () => {
  expect((await train({})).source.encode('欢迎来北京').pieces).toEqual(['欢迎', '来', '北京']);
});

test('labels of a translation are readable pieces, also where bytes make up a character', async () => {
  const words = await train({});
  expect(words.target.labels(words.target.encode('Welcome, I love Beijing').ids)).toEqual([
    'Welcome',
    ',',
    'I',
    'love',
    'Beijing',
  ]);
  const bytes = await train({ target: { tokenizer: 'bpe', vocabularySize: 260 } });
  expect(bytes.target.labels(bytes.target.encode('é').ids)).toEqual(['Ġ', 'Ã', '©']);
});

test('lower case and language are kept with the model', async () => {
  const codec = await train({ target: { lowercase: true } });
  expect(codec.target.encode('WELCOME').ids).toEqual(codec.target.encode('welcome').ids);
  expect(codec.settings()).toMatchObject({ source: { language: 'zh' }, target: { language: 'en', lowercase: true } });
});

test('names that are no languages are no languages; a wrong tag in the config is refused', async () => {
  expect((await train({}, 'src-1')).settings().source.language).toBe('src');
  expect((await train({}, 'x_1-y_2')).settings().source.language).toBeNull();
  await expect(train({ source: { language: 'not a tag' } })).rejects.toThrow('BCP 47');
});

test('a folder without text settings or without a tokenizer is refused by name', async () => {
  const codec = await train({});
  await expect(TextCodec.load(memory(), {}, 'runs/x')).rejects.toThrow('runs/x: config.json has no text settings');
  await expect(TextCodec.load(memory(), codec.settings(), 'runs/x')).rejects.toThrow(
    'runs/x: the model folder has no tokenizer.source.json',
  );
});
